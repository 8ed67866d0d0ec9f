// The selected model: predictions, performance, effects of the features, and its file.

const [CURVE_WIDTH, CURVE_HEIGHT] = [90, 34]; // in pixels
const MOST_PARTS = 10; // lines of a table, others are opened

function showModel(outcome) {
  const { candidate, confusion, costs } = outcome;
  tableOfClasses("confusion", (y, c) => {
    const [count, share] = [confusion[y][c], confusion[y][c] / masses[y]];
    return element("td", grouped(count), { class: c === y ? "right" : "", title: `${(100 * share).toFixed(1)} % of this class`, style: `--share: ${share}` });
  }, costs[0].length);
  showMeasures(outcome);
  byId("thresholds-box").hidden = candidate.score === null;
  if (candidate.score !== null) showStrip(outcome);
  showParts(candidate);
  showMoves(candidate);
}

// Interpretation of each measure in words.
const SENTENCES = {
  accuracy: (value) => `${outOf100(value)} rows get exactly their class`,
  one_minus_mae: (value) => `${short(1 - value, 2)} classes off on average`,
  vus: (value) => `one row of each class: in the right order in ${outOf100(value)} draws`,
  u_cons: (value) => `${outOf100(value)} rows of a higher group score above one of a lower`,
  u_ovo: (value) => `${outOf100(value)} pairs of classes in the right order`,
  u_pairs: (value) => `${outOf100(value)} pairs of rows in the right order`,
};
const outOf100 = (value) => `${short(100 * Math.max(0, value), 2)} of 100`;

// Measures of classes are for the decisions without the reject option; ranking measures are for the
// scores of the candidate.
function showMeasures({ candidate, solved }) {
  const confusion = countsOf(decide(candidate, solved.map((line) => line.slice(0, r))));
  const where = state.refer ? "cross-validated, without referral" : "cross-validated";
  fill(byId("measures"), ["measure", where, "by chance"], objectives.flatMap(({ key, words, meaning, chance, costs }) => {
    const measured = candidate.measures[key];
    if (!costs && !measured) return [];
    const value = costs ? 1 - sumOf(costs.map((cost, cell) => confusion[Math.floor(cell / r)][cell % r] * cost)) / total : measured[0];
    const interval = costs ? "" : intervalWords(endsOf({ costs }, value, normalReach * measured[1]));
    const line = [term(words, meaning), written2(value) + interval, written2(chance)];
    return key in SENTENCES ? [line, [element("td", SENTENCES[key](value), { colspan: 3, class: "sentence" })]] : [line];
  }));
}

const written2 = (value) => (value !== 0 && Math.abs(value) < 0.005 ? short(value, 2) : withMinus(value.toFixed(2)));

// A table with its first lines shown and the rest on demand.
function fillLong(id, heads, lines) {
  const [more, rest] = [byId(`${id}-more`), lines.slice(MOST_PARTS)];
  byId(`${id}-box`).hidden = lines.length === 0;
  fill(byId(id), heads, lines.slice(0, MOST_PARTS));
  more.hidden = rest.length === 0;
  more.replaceChildren(element("summary", `${rest.length} more`), fill(element("table"), heads, rest));
}
const termOf = (name) => named(name.replaceAll(" * ", " × "), name);

// The terms of a score with their shares of it.
function showParts({ parts }) {
  fillLong("parts", ["term", "share of the score", "coefficient"], parts.map(({ name, share, weight }) => {
    const bar = barCell([0, share / parts[0].share], `${(100 * share).toFixed(1)} %`, weight < 0);
    return [termOf(name), bar, weight === null ? "spline" : short(weight, 6)];
  }));
}

// Permutation importance, where computed, and accumulated local effect of each feature.
function showMoves({ name: candidate, moves }) {
  const loss = data.importance?.candidate === candidate && data.importance.loss;
  const sorted = loss ? moves.toSorted((a, b) => loss[b.name][0] - loss[a.name][0]) : moves;
  const highest = Math.max(...moves.flatMap(({ adds }) => adds.map(Math.abs))) || 1;
  const most = Math.max(...Object.values(loss).map(([value]) => value)) || 1;
  const lossCell = ([more, error]) => barCell([0, Math.max(0, more / most)], `${money(more)} ± ${money(data.reach * error)}`);
  fillLong("moves", ["feature", ...(loss ? ["permutation importance"] : []), "expected rank"], sorted.map((move) => (
    [termOf(move.name), ...(loss ? [lossCell(loss[move.name])] : []), curveOf(move, highest)]
  )));
  say("moves-words", (loss ? "Permutation importance: cross-validated increase in mean cost at the initial costs, with 95 % intervals. "
    : data.importance ? `Permutation importance was computed for ${data.importance.candidate}. ` : "")
    + "Curves: accumulated local effects on the expected rank over the range of the feature, "
    + `up to ${short(highest, 2)} classes; ticks: quantiles.`);
}

// A cell with a bar between two shares of the greatest length.
function barCell([from, to], words, isNegative = false) {
  return element("td", [element("span"), words], { class: isNegative ? "bar negative" : "bar", style: `--from: ${from}; --to: ${to}` });
}

function curveOf({ name, at, adds, ends }, highest) {
  const toX = scaled([at[0], at.at(-1)], [0, CURVE_WIDTH]);
  const toY = scaled([-highest, highest], [CURVE_HEIGHT - 6, 2]);
  const [from, to] = ends ?? [short(at[0]), short(at.at(-1))];
  const words = `from ${from} to ${to}`;
  const size = { width: CURVE_WIDTH, height: CURVE_HEIGHT, viewBox: `0 0 ${CURVE_WIDTH} ${CURVE_HEIGHT}` };
  return drawing("svg", { ...size, role: "img", class: "curve", "aria-label": `Curve of ${name} ${words}` }, [
    drawing("title", {}, capital(words)),
    ...at.map((value) => stroke(toX(value), CURVE_HEIGHT - 4, toX(value), CURVE_HEIGHT, "rug")),
    stroke(0, toY(0), CURVE_WIDTH, toY(0), "zero"),
    drawing("polyline", { points: pointsOf(at.map((value, a) => [value, adds[a]]), toX, toY) }),
  ]);
}

// The document of `moselect predict`. Labels and weights stand in the candidate's document as Python
// wrote them: 1.0 stays 1.0, and long integers keep their digits.
function modelDocument({ candidate, thresholds, along, cost, error: std_error, confusion, limits }) {
  const about = {
    ...data.about,
    target: data.target,
    candidate: candidate.name,
    cost_matrix: matrixOf(state),
    priors: state.priors && sharesOf(state.priors),
    expected_cost: cost,
    std_error,
    limits: limits.map(({ name, most, share, error, met }) => ({ limit: name, most, share, error, met })),
  };
  // The reference of `moselect check`: plain costs, and figures by the class shares in use.
  const costs = costsInUse({ ...state, priors: null });
  const inUse = state.priors ? sharesOf(state.priors) : sharesOfData;
  const reference = {
    costs,
    cost,
    error: std_error,
    confusion: confusion.map((line, y) => line.slice(0, costs[0].length).map((count) => (count / (masses[y] || 1)) * inUse[y])),
    trained: sharesOfData,
    limits: limits.map(({ name, most, share, error }) => [name, most, share, error]),
    n_units: nUnits,
    columns: candidate.profiles,
  };
  const own = { thresholds, ...(state.refer && { referral: { label: state.label, ...along } }), about, reference };
  return `${candidate.document.slice(0, -1)}, ${JSON.stringify(own).slice(1)}\n`;
}

function save(content, name, type) {
  const link = element("a", [], { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
