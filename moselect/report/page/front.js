// The front of the search in two objectives, on figures for new data, with the kinds beside it.

const [HEIGHT, LEFT, FOOT] = [360, 62, 44];
const objectives = data.front.objectives;
const onNewData = data.front["new data"] !== null;
const figures = data.front["new data"] ?? data.front.training;

// What is drawn in two objectives: models of the front, and kinds, chosen last.
function marksIn([x, y], chosen) {
  const of = (row) => [row[x.column], row[y.column]];
  const members = figures.map((row, i) => ({ place: of(row), class: i === state.member ? "member looked" : "member", member: i }));
  const kinds = data.kinds.filter(({ measures }) => x.key in measures && y.key in measures).map((kind) => ({
    place: [kind.measures[x.key][0], kind.measures[y.key][0]], class: kind === chosen ? "kind ours" : "kind", name: kind.name,
  }));
  return [...members, ...kinds].filter(({ place }) => !place.includes(null));
}

function makeFront() {
  const kindsWords = "rings are the kinds of model, each at equal costs of all classes";
  byId("front-words").textContent = `${counted(data.front.n_models, "model")} that the search found, ${onNewData
    ? "where they are expected on new data" : "in training: nothing was estimated for new data"}; ${kindsWords}. Click a model for its figures.`;
}

// Round values between two ends, at most so many.
function ticks(low, high, most) {
  const power = 10 ** Math.floor(Math.log10((high - low) / most));
  const step = [1, 2, 5, 10].find((each) => (high - low) / (each * power) <= most) * power;
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, i) => (first + i) * step);
}

function showFront(chosen) {
  const axes = [objectives[0], objectives.find(({ key }) => key === "vus") ?? objectives.at(-1)];
  const marks = marksIn(axes, chosen);
  const scales = [0, 1].map((axis) => {
    const values = marks.map(({ place }) => place[axis]);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const room = 0.1 * (high - low) || 0.01;
    return [low - room, high + room];
  });
  const width = Math.max(280, Math.min(900, byId("front").clientWidth)); // 0 before a frame is laid out
  const share = (axis, value) => (value - scales[axis][0]) / (scales[axis][1] - scales[axis][0]);
  const toX = (value) => LEFT + share(0, value) * (width - LEFT - 12);
  const toY = (value) => (1 - share(1, value)) * (HEIGHT - FOOT) + 4;
  const text = (words, attributes) => drawing("text", attributes, [words]);
  const grid = [
    ...ticks(...scales[0], width / 90).flatMap((x) => [
      drawing("line", { x1: toX(x), x2: toX(x), y1: 4, y2: HEIGHT - FOOT + 4 }), text(short(x), { x: toX(x), y: HEIGHT - 22, class: "middle" }),
    ]),
    ...ticks(...scales[1], 6).flatMap((y) => [
      drawing("line", { x1: LEFT, x2: width - 12, y1: toY(y), y2: toY(y) }), text(short(y), { x: LEFT - 6, y: toY(y) + 4, class: "end" }),
    ]),
  ];
  const placed = []; // names, which must not cover each other
  const labelOf = (name, x, y) => {
    const half = 3.9 * name.length; // of its width, about
    const middle = Math.min(x, width - half);
    const away = [-12, 22, -27, 37].find((shift) => placed.every((other) => (
      Math.abs(other.at - y - shift) > 13 || Math.abs(other.middle - middle) > half + other.half
    ))) ?? -12;
    placed.push({ middle, half, at: y + away });
    return text(name, { x: middle, y: y + away, class: "middle" });
  };
  const drawn = marks.map(({ place: [x, y], member, name, ...attributes }) => {
    const circle = drawing("circle", { cx: toX(x), cy: toY(y), r: member === undefined ? 7 : 3.5, ...attributes });
    if (member !== undefined) circle.dataset.member = member;
    return name === undefined ? [circle] : [circle, labelOf(name, toX(x), toY(y))];
  });
  byId("front").replaceChildren(drawing("svg", { width, height: HEIGHT, role: "img", "aria-label": `${axes[1].words} over ${axes[0].words} of the models` }, [
    ...grid, ...drawn.flat(),
    text(axes[0].words, { x: (LEFT + width) / 2, y: HEIGHT - 4, class: "middle title" }),
    text(axes[1].words, { x: 14, y: HEIGHT / 2, class: "middle title", transform: `rotate(-90 14 ${HEIGHT / 2})` }),
  ]));
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
