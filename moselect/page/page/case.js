// A single row: predicted class and probabilities of the selected model, contributions of the
// features to the score, and the smallest change of one column that changes the class.

const row = new Map(); // what is typed in, by column: "" is no value
const ORDERS = 8; // in which features are changed, each there and back

const CLOCK = /^(?:(\d{1,5}) days?,? )?(\d{1,3}):([0-5]\d)(?::([0-5]\d(?:\.\d{1,9})?))?(?: ?([ap])\.?m\.?)?$/;

// The seconds of a time, NaN of other text: as `moselect.preprocessing.cells`.
function secondsOf(text, first) {
  const clock = CLOCK.exec(text);
  if (!clock) return NaN;
  const [days, hours, minutes, seconds] = clock.slice(1, 5).map((part = 0) => Number(part));
  const half = clock[5];
  if (half && (hours < 1 || hours > 12)) return NaN;
  const unit = !clock[4] && !half ? first : 3600; // of the hours: those of two parts may be minutes
  return days * 86_400 + (half ? (hours % 12) + (half === "p" ? 12 : 0) : hours) * unit + minutes * (unit / 60) + seconds;
}

// Parse a field to an input of the graph; infinite where it cannot be parsed.
const READERS = {
  number: numberOf,
  boolean: (text) => Number(["true", "1", "1.0"].includes(text.toLowerCase())),
  hours: (text) => secondsOf(text.trim().toLowerCase(), 3600),
  minutes: (text) => secondsOf(text.trim().toLowerCase(), 60),
  date: (text) => new Date(text.includes("T") ? `${text}Z` : text).getTime() / 1000,
};
function readCell(column, text) {
  if (column.read === "levels") return text;
  if (text === "") return column.gaps ? NaN : Infinity;
  const value = READERS[column.read](text);
  return Number.isNaN(value) ? Infinity : value;
}

// Scores, probabilities and columns of rows, each a map of column to text.
function runRows({ graph, columns }, rows, wanted = ["score", "probabilities"]) {
  const inputs = Object.fromEntries(graph.inputs.map((name) => [name, rows.map((cells) => readCell(columns[name], cells.get(name)))]));
  return runGraph(graph, inputs, wanted).map(({ values }) => values);
}

// Prediction for each row: by thresholds of the score, or by least expected cost.
function answersTo({ along, solved }, scores, proba) {
  if (!along) return Array.from(decide({ proba }, solved));
  return scores.map((score) => along.codes[along.cuts.filter((cut) => cut < score).length]);
}

// A single row by the selected candidate, or by the additive model if that is too large to embed.
function showCase(outcome, outcomes) {
  const { candidate } = outcome;
  const judged = candidate.case ? outcome : outcomes.find((each) => each.candidate.name === "additive");
  const isHeld = candidate.name !== data.trivial && judged.candidate.case !== null;
  byId("case").hidden = !isHeld;
  const whose = candidate.case ? `By the selected model (${candidate.name}), as moselect predict.`
    : `The ${candidate.name} is too large to embed; predictions are by ${judged.candidate.name}.`;
  say("case-words", isHeld ? `${whose} Initial values: the median or most frequent level of each column.` : "It predicts the same class for every row.");
  if (!isHeld) return;
  const columns = Object.entries(judged.candidate.case.columns);
  byId("case-columns").replaceChildren(...columns.map(([name, { start, date, text: isText, levels, gaps }]) => {
    if (!row.has(name)) row.set(name, String(start));
    const options = levels && [...levels, ...(gaps ? [""] : [])].map((level) => element("option", level || "no value", { value: level }));
    const type = isText ? "text" : !date ? "number" : start.includes("T") ? "datetime-local" : "date";
    const field = levels ? element("select", options) : element("input", [], { type, step: "any" });
    field.value = row.get(name);
    field.addEventListener("input", () => { row.set(name, field.value); scoreCase(judged); });
    return element("label", [named(name), field]);
  }));
  scoreCase(judged);
}

function scoreCase(outcome) {
  const { case: own } = outcome.candidate;
  const unusable = own.graph.inputs.filter((name) => Math.abs(readCell(own.columns[name], row.get(name))) === Infinity);
  for (const part of ["case-proba", "case-adds", "case-change"]) byId(part).hidden = unusable.length > 0;
  say("case-class", `Not a value that the model can read: ${unusable.join(", ")}`);
  if (unusable.length > 0) return;
  const [scores, proba] = runRows(own, [row]);
  const [answer] = answersTo(outcome, scores, proba);
  say("case-class", answerName(answer));
  const inUse = sharesOf(proba.map((share, y) => share * ratiosOf(state)[y]));
  fill(byId("case-proba"), ["class", "probability"], inUse.map((share, c) => (
    [answerHead(c), barCell([0, share], `${(100 * share).toFixed(1)} %`)]
  )));
  say("case-change", leastChange(outcome, answer));
  showWaterfall(outcome.candidate, scores[0]);
}

// Contribution of each column: points, or Shapley values relative to the initial row, as means over
// random orders of the changed columns, each there and back (Strumbelj & Kononenko 2014).
function addedBy({ case: own }) {
  const added = new Map();
  const add = (column, amount) => added.set(column, (added.get(column) ?? 0) + amount);
  if (own.points) {
    const [values] = runRows(own, [row], ["columns"]);
    own.points.of.forEach(([points, of], t) => add(of, points * values[t]));
    own.points.less.forEach(([of, least]) => add(of, -least));
    return added;
  }
  const typical = new Map(Object.entries(own.columns).map(([column, { start }]) => [column, String(start)]));
  const changed = [...typical.keys()].filter((column) => typical.get(column) !== row.get(column));
  let seed = 1; // the same orders every time
  const draw = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const orders = upTo(ORDERS).flatMap(() => {
    const order = changed.map((column) => [draw(), column]).sort(([a], [b]) => a - b).map(([, column]) => column);
    return [order, order.toReversed()];
  });
  const rows = orders.flatMap((order) => upTo(order.length + 1).map((k) => (
    new Map([...typical, ...order.slice(0, k).map((column) => [column, row.get(column)])])
  )));
  const [values] = runRows(own, rows, ["score"]);
  orders.forEach((order, o) => order.forEach((column, k) => {
    const at = o * (order.length + 1) + k;
    add(column, (values[at + 1] - values[at]) / orders.length);
  }));
  return added;
}

// The score as a waterfall: from the baseline by the ten largest contributions and the rest.
function showWaterfall(candidate, score) {
  const asPoints = candidate.case.points !== null;
  const added = [...addedBy(candidate)].map(([of, amount]) => [`${of} (${row.get(of) || "missing"})`, amount]);
  const parts = added.filter(([, amount]) => amount !== 0).sort(([, a], [, b]) => Math.abs(b) - Math.abs(a));
  const start = score - sumOf(parts.map(([, amount]) => amount));
  const rest = parts.splice(MOST_PARTS);
  if (rest.length > 0) parts.push([`${rest.length} other${rest.length > 1 ? "s" : ""}`, sumOf(rest.map(([, amount]) => amount))]);
  let at = start;
  const steps = parts.map(([of, amount]) => ({ of, amount, ends: [at, at += amount].sort((a, b) => a - b) }));
  const all = [score, ...steps.flatMap(({ ends }) => ends)];
  const place = scaled([Math.min(...all), Math.max(...all)], [0, 1]);
  fill(byId("case-adds"), ["feature", asPoints ? "points" : "contribution"], [
    [asPoints ? "start" : "baseline (typical row)", short(Math.abs(start) < 1e-9 ? 0 : start, 4)],
    ...steps.map(({ of, amount, ends }) => [named(of), barCell(ends.map(place), signed(amount, short(amount, asPoints ? 6 : 3)), amount < 0)]),
    [candidate.score ? "score" : "expected rank", short(score, 4)],
  ]);
}

// Smallest change of one column that changes the class; numbers are compared by their ranks.
function leastChange(outcome, answer) {
  const { case: own } = outcome.candidate;
  const tried = Object.entries(own.columns).flatMap(([name, { range = [], levels }]) => {
    const rank = range.filter((value) => value <= Number(row.get(name))).length;
    const others = levels ? levels.slice(0, 15).map((value) => ({ name, value, far: 0.5 }))
      : range.map((value, k) => ({ name, value: String(value), far: Math.abs(k + 1 - rank) / range.length }));
    return others.filter(({ value }) => value !== row.get(name));
  });
  if (tried.length === 0) return "";
  const answers = answersTo(outcome, ...runRows(own, tried.map(({ name, value }) => new Map([...row, [name, value]]))));
  const found = tried.map((each, t) => ({ ...each, other: answers[t] })).filter(({ other }) => other !== answer);
  if (found.length === 0) return "No change of a single column changes the class.";
  const { name, value, other } = found.reduce((a, b) => (b.far < a.far ? b : a));
  const words = value === "" || Number.isNaN(Number(value)) ? value || "missing" : short(Number(value));
  return `Smallest change to another class: ${answerName(other)} if ${name} were ${words}.`;
}
