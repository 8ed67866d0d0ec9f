// The front of the search in two objectives, on figures for new data, with the kinds beside it.

const HEIGHT = 340;
const objectives = data.front.objectives;
const onNewData = data.front["new data"] !== null;
const figures = data.front["new data"] ?? data.front.training;

// What is drawn in two objectives: models of the front, and kinds with their errors, chosen last.
function marksIn([x, y], chosen, cheapest) {
  const of = (row) => [row[x.column], row[y.column]];
  const members = figures.map((row, i) => ({ place: of(row), class: i === state.member ? "member looked" : "member", member: i }));
  const kinds = data.kinds.filter(({ measures }) => x.key in measures && y.key in measures).map((kind) => ({
    place: [kind.measures[x.key][0], kind.measures[y.key][0]], reach: [x, y].map(({ key }) => data.reach * kind.measures[key][1]),
    class: kind === chosen ? "kind ours" : "kind", name: kind === cheapest ? `${kind.name} (cheapest)` : kind.name,
  }));
  return [...members, ...kinds.toSorted((a, b) => a.class.length - b.class.length)].filter(({ place }) => !place.includes(null));
}

function makeFront() {
  byId("front-words").textContent = `Dots: ${counted(data.front.n_models, "model")} that the search found, ${onNewData
    ? "where they are expected on new data" : "in training: nothing was estimated for new data"}. Rings: the kinds of model, each at equal costs of all classes, with 95 % intervals.`;
  objectives.forEach(({ key, words }) => {
    for (const id of ["across", "up"]) byId(id).append(element("option", words, { value: key }));
  });
  ["across", "up"].forEach((id, axis) => byId(id).addEventListener("change", () => change("axes", { axes: axesShown().with(axis, byId(id).value) })));
  byId("member-number").max = data.front.n_models - 1;
  byId("member-number").addEventListener("input", () => {
    const i = data.front.indices.indexOf(byId("member-number").valueAsNumber);
    change("member", { member: i < 0 ? null : i });
  });
}

const axesShown = () => state.axes ?? [objectives[0].key, (objectives.find(({ key }) => key === "vus") ?? objectives.at(-1)).key];

function showFront(chosen, cheapest) {
  const keys = axesShown();
  [byId("across").value, byId("up").value] = keys;
  const axes = keys.map((key) => objectives.find((one) => one.key === key));
  const all = marksIn(axes, chosen, cheapest);
  // What matters is where the kinds are, and nine tenths of the models.
  const scales = [0, 1].map((axis) => {
    const values = all.filter(({ name }) => name === undefined).map(({ place }) => place[axis]).sort((a, b) => a - b);
    const ends = all.filter(({ name }) => name !== undefined).map(({ place }) => place[axis]);
    const [low, high] = [Math.min(values[Math.floor(values.length / 10)] ?? Infinity, ...ends), Math.max(values.at(-1) ?? -Infinity, ...ends)];
    const room = 0.1 * (high - low) || 0.01;
    return [low - room, high + room];
  });
  const marks = all.filter(({ place }) => place.every((value, axis) => value >= scales[axis][0] && value <= scales[axis][1]));
  const frame = frameOf("front", scales, HEIGHT, 900);
  const { width, toX, toY, clip, grid } = frame;
  // Names must cover neither each other nor rings.
  const placed = marks.filter(({ name }) => name !== undefined).map(({ place: [x, y] }) => ({ middle: toX(x), half: 9, at: toY(y) + 4 }));
  const labelOf = (name, x, y) => {
    const half = 4 * name.length; // of its width, about
    const middle = Math.max(half, Math.min(x, width - half));
    const away = [-12, 22, -27, 37, -42, 52, -57].find((shift) => y + shift > 12 && placed.every((other) => (
      Math.abs(other.at - y - shift) > 13 || Math.abs(other.middle - middle) > half + other.half
    ))) ?? 22;
    placed.push({ middle, half, at: y + away });
    return drawing("text", { x: middle, y: y + away, class: "middle" }, [name]);
  };
  const drawn = marks.map(({ place: [x, y], reach, member, name, class: mark }) => {
    const circle = drawing("circle", { cx: toX(x), cy: toY(y), r: member === undefined ? 6 : 3.5, class: mark });
    if (member !== undefined) circle.dataset.member = member;
    if (name === undefined) return [circle];
    const cross = [
      drawing("line", { x1: toX(clip(x - reach[0], 0)), x2: toX(clip(x + reach[0], 0)), y1: toY(y), y2: toY(y), class: "cross" }),
      drawing("line", { x1: toX(x), x2: toX(x), y1: toY(clip(y - reach[1], 1)), y2: toY(clip(y + reach[1], 1)), class: "cross" }),
    ];
    return [...cross, circle, labelOf(name, toX(x), toY(y))];
  });
  showFramed("front", axes.map(({ words }) => words), frame, HEIGHT, [...grid, ...drawn.flat()]);
  if (document.activeElement !== byId("member-number")) byId("member-number").value = state.member === null ? "" : data.front.indices[state.member];
  byId("member").textContent = state.member === null ? "" : memberWords(state.member);
}

function memberWords(i) {
  const told = objectives.map(({ column, words }) => {
    const [value, error] = [figures[i][column], data.front.error?.[i][column]];
    return value === null ? "" : `${words} ${written2(value)}${error ? ` ± ${written2(data.reach * error)}` : ""}`;
  }).filter(Boolean).join(", ");
  const index = data.front.indices[i];
  const take = data.run ? `moselect select ${data.run} --model ${index}` : `search.front_[${index}]`;
  return `Model ${index}${onNewData ? ", expected on new data" : ", in training"}: ${told}. Take it as it is: ${take}`;
}
