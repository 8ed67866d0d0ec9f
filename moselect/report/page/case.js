// A single row that is typed in: its class and probabilities by the selected model, what each feature
// adds to the score, and the least change that changes its class.

const row = new Map(); // what is typed in, by column: "" is no value
const ORDERS = 8; // in which features are changed, each there and back

const CLOCK = /^(?:(\d{1,5}) days?,? )?(\d{1,3}):([0-5]\d)(?::([0-5]\d(?:\.\d{1,9})?))?(?: ?([ap])\.?m\.?)?$/;
const PART = "(\\d{1,8}(?:\\.\\d{1,9})?)";
const SPELLED = new RegExp(`^p?(?:${PART} ?d(?:ays?)?)? ?t?(?:${PART} ?h(?:(?:ou)?rs?)?)? ?(?:${PART} ?m(?:in(?:ute)?s?)?)? ?(?:${PART} ?s(?:ec(?:ond)?s?)?)?$`);

// The seconds of a time, NaN of other text: as `moselect.columns.times`.
function secondsOf(text, first) {
  const [clock, spelled] = [CLOCK.exec(text), SPELLED.exec(text)];
  if (clock) {
    const [days, hours, minutes, seconds] = clock.slice(1, 5).map((part) => Number(part ?? 0));
    const half = clock[5];
    if (clock[4] === undefined && !half) return days * 86_400 + hours * first + minutes * (first / 60);
    if (half && (hours < 1 || hours > 12)) return NaN;
    return days * 86_400 + (half ? (hours % 12) + (half === "p" ? 12 : 0) : hours) * 3600 + minutes * 60 + seconds;
  }
  if (!spelled || !spelled.slice(1).some((part) => part)) return NaN;
  return sumOf(spelled.slice(1).map((part, k) => Number(part ?? 0) * [86_400, 3600, 60, 1][k]));
}

// What an input of the graph takes for what is typed in: infinite where it cannot be read.
const READERS = {
  Number,
  Truth: (text) => Number(["true", "1", "1.0"].includes(text.toLowerCase())),
  Time: (text, { first }) => secondsOf(text.trim().toLowerCase(), first),
  DatePart: (text) => new Date(text.includes("T") ? `${text}Z` : text).getTime() / 1000,
};
function readCell(column, text) {
  if (column.read === "Level") return text;
  if (text === "") return column.gaps ? NaN : Infinity;
  const value = READERS[column.read](text, column);
  return Number.isNaN(value) ? Infinity : value;
}

// Scores, probabilities and columns of rows, each a map of what is typed in.
function runRows({ graph, columns }, rows, wanted = ["score", "probabilities"]) {
  const inputs = Object.fromEntries(graph.inputs.map((name) => [name, rows.map((cells) => readCell(columns[name], cells.get(name)))]));
  return runGraph(graph, inputs, wanted);
}

// The answer to each row: by thresholds along a score, or by least expected cost.
function answersTo({ kind, thresholds, referral, solved }, score, proba) {
  return Array.from(score.values, (value, i) => {
    if (referral) return referral.codes[referral.cuts.filter((cut) => cut < value).length];
    if (thresholds) return thresholds.filter((threshold) => threshold < value).length;
    const own = proba.values.slice(i * r, (i + 1) * r);
    const expected = solved[0].map((_, c) => sumOf(solved.map((line, y) => own[y] * line[c])));
    return expected.indexOf(Math.min(...expected));
  });
}
const answerName = (c) => (c === r ? state.label : data.classes[c]);

// A kind that scores single rows: the selected one, or curves where it cannot be on a page.
const standIn = (kind) => (kind.case || kind.name === data.trivial ? kind : kindNamed("curves"));

function showCase(outcome, outcomes) {
  const own = standIn(outcome.kind);
  const judged = own === outcome.kind ? outcome : outcomes.find(({ kind }) => kind === own);
  byId("case").hidden = !own?.case;
  if (!own?.case) {
    byId("case-words").textContent = "It calls every row the same.";
    return;
  }
  byId("case-words").textContent = `${own === outcome.kind ? `By the selected model (${own.name}), as moselect predict says it.` : `The ${outcome.kind.name} is too large for a page: this is what ${own.name} says.`} It begins with the median, or the most frequent level, of each column.`;
  const { columns } = own.case;
  for (const [name, { start }] of Object.entries(columns)) if (!row.has(name)) row.set(name, String(start));
  byId("case-columns").replaceChildren(...Object.entries(columns).map(([name, column]) => caseField(name, column, () => scoreCase(judged))));
  scoreCase(judged);
}

function caseField(name, { start, date, text, levels, gaps }, listen) {
  const options = levels && [...levels, ...(gaps ? [""] : [])].map((level) => element("option", level || "no value", { value: level }));
  const type = text ? "text" : !date ? "number" : start.includes("T") ? "datetime-local" : "date";
  const field = levels ? element("select", options) : element("input", undefined, { type, step: "any" });
  field.value = row.get(name);
  field.addEventListener("input", () => { row.set(name, field.value); listen(); });
  return element("label", [element("span", name, { class: "name", title: name }), field]);
}

function scoreCase(outcome) {
  const { kind } = outcome;
  const [score, proba] = runRows(kind.case, [row]);
  const unusable = kind.case.graph.inputs.some((name) => Math.abs(readCell(kind.case.columns[name], row.get(name))) === Infinity);
  for (const part of ["case-proba", "case-adds", "case-change"]) byId(part).hidden = unusable;
  byId("case-class").textContent = unusable ? "Fill in every column" : "";
  if (unusable) return;
  const [answer] = answersTo(outcome, score, proba);
  byId("case-class").textContent = answerName(answer);
  fill(byId("case-proba"), ["class", "probability"], data.classes.map((_, c) => (
    { cells: [classHead(c, "row"), barCell(proba.values[c], 1, `${(100 * proba.values[c]).toFixed(1)} %`)] }
  )));
  byId("case-change").textContent = leastChange(outcome, answer);
  showWaterfall(kind, score.values[0]);
}

// What each column adds: points, or the mean over orders in which the row that the page begins with
// becomes this one, each there and back (Shapley values beside that row; Strumbelj & Kononenko 2014).
function addedBy({ case: own }) {
  const added = new Map();
  if (own.points) {
    const [{ values }] = runRows(own, [row], ["columns"]);
    own.points.forEach(([points, of], t) => added.set(of, (added.get(of) ?? 0) + points * values[t]));
    return added;
  }
  const typical = new Map(Object.entries(own.columns).map(([column, { start }]) => [column, String(start)]));
  const changed = [...typical.keys()].filter((column) => typical.get(column) !== row.get(column));
  let seed = 1; // the same orders every time
  const draw = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const orders = Array.from({ length: ORDERS }, () => changed.map((column) => [draw(), column]).sort(([a], [b]) => a - b).map(([, column]) => column));
  const all = orders.flatMap((order) => [order, order.toReversed()]);
  const rows = all.flatMap((order) => [typical, ...order.map((_, k) => new Map([...typical, ...order.slice(0, k + 1).map((column) => [column, row.get(column)])]))]);
  const [{ values }] = changed.length > 0 ? runRows(own, rows, ["score"]) : [{ values: [] }];
  all.forEach((order, o) => order.forEach((column, k) => {
    const at = o * (order.length + 1) + k;
    added.set(column, (added.get(column) ?? 0) + (values[at + 1] - values[at]) / all.length);
  }));
  return added;
}

// The score as a waterfall: from where it begins, by the ten largest parts and the others, to the end.
function showWaterfall(kind, score) {
  const asPoints = kind.case.points !== null;
  const sorted = [...addedBy(kind)].filter(([, amount]) => amount !== 0).sort(([, a], [, b]) => Math.abs(b) - Math.abs(a));
  const rest = sorted.slice(MOST_PARTS);
  const parts = [...sorted.slice(0, MOST_PARTS), ...(rest.length > 0 ? [[counted(rest.length, "other"), sumOf(rest.map(([, amount]) => amount))]] : [])];
  const start = score - sumOf(parts.map(([, amount]) => amount));
  let at = start;
  const steps = parts.map(([of, amount]) => ({ of, amount, from: at, to: (at += amount) }));
  const ends = steps.flatMap((step) => [step.from, step.to]).concat(score);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const place = (value) => (value - low) / (high - low || 1);
  fill(byId("case-adds"), ["feature", asPoints ? "points" : "adds"], [
    { cells: [asPoints ? "no points" : "the row it begins with", short(Math.abs(start) < 1e-9 ? 0 : start, 4)] },
    ...steps.map(({ of, amount, from: a, to: b }) => {
      const cell = element("td", [element("span"), `${amount > 0 ? "+" : ""}${short(amount, asPoints ? 6 : 3)}`], { class: amount < 0 ? "fall negative" : "fall" });
      for (const [name, value] of [["--from", place(Math.min(a, b))], ["--to", place(Math.max(a, b))]]) cell.style.setProperty(name, value);
      return { cells: [element("th", element("span", of, { class: "name" }), { scope: "row" }), cell] };
    }),
    { cells: [kind.score ? "score" : "expected rank", short(score, 4)] },
  ]);
}

// The least change of one column that changes the class: of numbers by ranks among the rows.
function leastChange(outcome, answer) {
  const { columns } = outcome.kind.case;
  const tried = Object.entries(columns).flatMap(([name, { range, levels }]) => {
    const own = row.get(name);
    if (levels) return levels.slice(0, 15).filter((level) => level !== own).map((level) => ({ name, value: level, far: 0.5 }));
    const rank = range && range.filter((value) => value <= Number(own)).length;
    return (range ?? []).map((value, k) => ({ name, value: String(value), far: Math.abs(k + 1 - rank) / range.length })).filter(({ value }) => value !== own);
  });
  if (tried.length === 0) return "";
  const [score, proba] = runRows(outcome.kind.case, tried.map(({ name, value }) => new Map([...row, [name, value]])));
  const found = answersTo(outcome, score, proba).map((other, t) => ({ ...tried[t], other })).filter(({ other }) => other !== answer);
  if (found.length === 0) return "No change of a single column changes the class.";
  const { name, value, other } = found.reduce((a, b) => (b.far < a.far ? b : a));
  return `The least change to another class: ${answerName(other)} if ${name} were ${Number.isNaN(Number(value)) || value === "" ? value || "missing" : short(Number(value))}.`;
}
