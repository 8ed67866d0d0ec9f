// A single row that is typed in: its class and probabilities by the selected model, and what each
// feature adds to the score. Terms are those of `moselect.models.terms`, in the order of their parts.

const row = new Map(); // what is typed in, by column: "" is no value

const orNothing = (name, fill, read) => (row.get(name) === "" ? fill ?? NaN : read(row.get(name)));
const TERMS = {
  Number: (name, fill) => orNothing(name, fill, Number),
  Truth: (name, fill) => orNothing(name, fill, (text) => Number(["true", "1", "1.0"].includes(text.toLowerCase()))),
  Time: (name, first, fill) => orNothing(name, fill, (text) => secondsOf(text.trim().toLowerCase(), first)),
  Level: (name, values, otherwise, missing) => orNothing(name, missing, (text) => (Object.hasOwn(values, text) ? values[text] : otherwise)),
  Missing: ([, name]) => Number(row.get(name) === ""),
  DatePart: (name, part, _, fill) => orNothing(name, fill, (text) => {
    const date = new Date(text.includes("T") ? `${text}Z` : text);
    const hours = date.getUTCHours() + date.getUTCMinutes() / 60;
    return { seconds: date.getTime() / 1000, month: date.getUTCMonth() + 1, weekday: date.getUTCDay() || 7, hour: hours }[part];
  }),
  DaysBetween: (start, end, fill) => {
    const days = (valueOf(end) - valueOf(start)) / 86_400; // none where a date must not be missing
    const missing = [start, end].some(([, name]) => row.get(name) === "");
    return missing && !Number.isNaN(days) ? fill : days;
  },
  Standardised: (of, centre, scale) => (valueOf(of) - centre) / scale,
  Curve: (of, breaks, centres, coefficients) => {
    const x = valueOf(of);
    const piece = breaks.filter((end) => end <= x).length;
    return coefficients[piece].reduce((total, coefficient) => total * (x - centres[piece]) + coefficient);
  },
  Product: (left, right) => valueOf(left) * valueOf(right),
};
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
const valueOf = ([term, ...parts]) => TERMS[term](...parts);

// The terms of columns in a term; in them the name of the column stands first.
const leavesOf = ([term, ...parts]) => {
  if (typeof parts[0] === "string") return [[term, parts[0]]];
  if (term === "Missing") return [[term, parts[0][1]]];
  if (term === "DaysBetween") return [[term, `days from ${parts[0][1]} to ${parts[1][1]}`]];
  return parts.slice(0, term === "Product" ? 2 : 1).flatMap(leavesOf);
};
const columnsOf = (term) => [...new Set(leavesOf(term).map(([, name]) => name))];

// What a column of numbers adds over its range, beside the mean of the rows.
function curveAlong({ terms, columns }, name) {
  const own = terms.filter(([, , term]) => leavesOf(term).every(([leaf, of]) => leaf === "Number" && of === name));
  const kept = row.get(name) ?? String(columns[name].start);
  const adds = columns[name].range.map((value) => {
    row.set(name, value);
    return sumOf(own.map(([weight, mean, term]) => weight * (valueOf(term) - mean)));
  });
  row.set(name, kept);
  return { name, at: columns[name].range, adds };
}

function showCase({ kind, thresholds }) {
  byId("case").hidden = kind.case === null;
  if (kind.case === null) {
    byId("case-words").textContent = kind.name === data.trivial ? "It calls every row the same."
      : `A ${kind.name} is no sum of terms, so this page cannot score a row by it: take curves, linear or points to try one here, or ask moselect predict.`;
    return;
  }
  byId("case-words").textContent = `By the selected model (${kind.name}), as moselect predict says it. It begins with the median, or the most frequent level, of each column.`;
  const lines = Object.entries(kind.case.columns).map(([name, column]) => caseField(name, column, () => scoreCase(kind, thresholds)));
  byId("case-columns").replaceChildren(...lines);
  scoreCase(kind, thresholds);
}

function caseField(name, { start, date, text, levels, gaps }, listen) {
  if (!row.has(name)) row.set(name, String(start));
  const options = levels && [...levels, ...(gaps ? [""] : [])].map((level) => element("option", level || "no value", { value: level }));
  const type = text ? "text" : !date ? "number" : start.includes("T") ? "datetime-local" : "date";
  const field = levels ? element("select", options) : element("input", undefined, { type, step: "any" });
  field.value = row.get(name);
  field.addEventListener("input", () => { row.set(name, field.value); listen(); });
  return element("label", [element("span", name, { class: "name", title: name }), field]);
}

function scoreCase({ name, case: { terms }, score: { slope, cuts } }, thresholds) {
  const asPoints = name === "points"; // which count from 0, others from the mean of the rows
  let score = 0;
  const added = new Map();
  for (const [weight, mean, term] of terms) {
    const value = valueOf(term);
    score += weight * value;
    const of = columnsOf(term).join(" × ");
    added.set(of, (added.get(of) ?? 0) + weight * (asPoints ? value : value - mean));
  }
  const empty = Number.isNaN(score);
  for (const part of ["case-proba", "case-adds"]) byId(part).hidden = empty;
  byId("case-class").textContent = empty ? "Fill in every column" : "";
  if (empty) return;
  byId("case-class").textContent = data.classes[thresholds.filter((threshold) => threshold < score).length];
  const below = [0, ...cuts.map((cut) => 1 / (1 + Math.exp(slope * score - cut))), 1];
  fill(byId("case-proba"), ["class", "probability"], data.classes.map((_, c) => (
    { cells: [classHead(c, "row"), barCell(below[c + 1] - below[c], 1, `${(100 * (below[c + 1] - below[c])).toFixed(1)} %`)] }
  )));
  const lines = [...added].filter(([, amount]) => amount !== 0).sort(([, a], [, b]) => Math.abs(b) - Math.abs(a));
  const names = shortNames(lines.map(([of]) => of), 26);
  const digits = asPoints ? 6 : 3;
  const mean = score - sumOf(lines.map(([, amount]) => amount)); // 0 but for rounding, where columns are standardised
  fill(byId("case-adds"), ["feature", asPoints ? "points" : "beside the mean of the rows"], [
    ...lines.map(([of, amount], l) => ({ cells: [element("th", element("span", names[l], { class: "name", title: of }), { scope: "row" }), barCell(amount, Math.abs(lines[0][1]), short(amount, digits))] })),
    ...(asPoints ? [] : [{ cells: ["the mean of the rows", short(Math.abs(mean) < 1e-9 ? 0 : mean, digits)] }]),
    { cells: ["score", short(score, 4)] },
  ]);
}
