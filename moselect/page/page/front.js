// The front of the search and the candidates in two objectives, cross-validated.

const HEIGHT = 340;
const { objectives } = data.front;
const figures = data.front.expected ?? data.front.training;

for (const id of ["across", "up"]) on(id, "change", () => change("axes", { axes: [byId("across").value, byId("up").value] }));
bind(byId("member-number"), () => data.front.indices[state.member] ?? "", (field) => {
  const i = data.front.indices.indexOf(field.valueAsNumber);
  field.ariaInvalid = field.value && i < 0 ? "true" : null;
  change("member", { member: i < 0 ? null : i });
});
on("front", "click", ({ target: { dataset: { member } } }) => { if (member) change("member", { member: Number(member) }); });

const axesShown = () => state.axes ?? [objectives[0].key, (objectives.find(({ key }) => key === "vus") ?? objectives.at(-1)).key];

function showFront({ candidate: selected }, outcomes) {
  const keys = axesShown();
  [byId("across").value, byId("up").value] = keys;
  const axes = keys.map((key) => objectives.find((one) => one.key === key));
  const members = figures.map((row, i) => ({ i, at: axes.map(({ column }) => row[column]) })).filter(({ at }) => !at.includes(null));
  const measured = outcomes.map((outcome) => ({ candidate: outcome.candidate, values: axes.map((axis) => measureOf(outcome, axis)) }));
  const candidates = measured.filter(({ candidate, values }) => candidate.name !== data.trivial && values.every(Boolean)).map(({ candidate, values }) => ({
    name: candidate.name, ours: candidate === selected,
    at: values.map(([value]) => value),
    ends: values.map(([value, error], axis) => endsOf(axes[axis], value, normalReach * error)),
  })).sort((a, b) => a.ours - b.ours);
  // Scales cover all candidates and nine tenths of the models.
  const scales = [0, 1].map((axis) => {
    const values = members.map(({ at }) => at[axis]).sort((a, b) => a - b).slice(Math.floor(members.length / 10));
    const shown = [...values, ...candidates.map(({ at }) => at[axis])];
    const [low, high] = [Math.min(...shown), Math.max(...shown)];
    const room = 0.1 * (high - low) || 0.01;
    return [low - room, high + room];
  });
  const frame = frameOf("front", axes.map(({ words }) => words), scales, HEIGHT, 900);
  const { toX, toY, show } = frame;
  const circle = ({ at: [x, y] }, attributes, title = []) => drawing("circle", { cx: toX(x), cy: toY(y), ...attributes }, title);
  const dots = members.filter(({ at }) => at.every((value, axis) => value >= scales[axis][0])).map((member) => (
    circle(member, { r: 3.5, "data-member": member.i, class: member.i === state.member ? "member looked" : "member" }, drawing("title", {}, memberWords(member.i)))
  ));
  const intervals = candidates.flatMap(({ at: [x, y], ends: [[left, right], [low, high]] }) => [
    stroke(toX(left), toY(y), toX(right), toY(y), "cross"), stroke(toX(x), toY(low), toX(x), toY(high), "cross"),
  ]);
  const rings = candidates.map((candidate) => circle(candidate, { r: 6, class: candidate.ours ? "candidate ours" : "candidate" }));
  const places = candidates.map(({ at: [x, y], ...candidate }) => ({ ...candidate, x: toX(x), y: toY(y) }));
  show(intervals, [...dots, ...rings, ...namesOf(places, frame, places.map(({ x, y }) => ({ middle: x, half: 9, at: y + 4 })))]);
  const unknown = byId("member-number").ariaInvalid ? `Not among the models shown here, of 0 to ${data.front.n_models - 1}.` : "";
  say("member", state.member === null ? unknown : memberWords(state.member));
}

const intervalWords = ([low, high]) => ` (${written2(low)} to ${written2(high)})`;

function memberWords(i) {
  const told = objectives.filter(({ column }) => figures[i][column] !== null).map((objective) => {
    const [value, error] = [figures[i][objective.column], data.front.error?.[i][objective.column]];
    return `${objective.words} ${written2(value)}${error ? intervalWords(endsOf(objective, value, data.reach * error)) : ""}`;
  });
  const index = data.front.indices[i];
  const take = data.run ? `moselect take ${data.run} --member ${index}` : `search.front_[${index}]`;
  return `Model ${index}${data.front.expected ? ", expected out of sample" : ", in training"}: ${told.join(", ")}. To take it: ${take}`;
}
