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
  if (candidate.score !== null) showThresholds(outcome);
  showParts(candidate);
  showMoves(candidate);
}

// The range of the score, or the attainable sums of points, of each class.
function showThresholds({ candidate, along: { cuts, codes: answers } }) {
  const all = [-Infinity, ...cuts, Infinity];
  const digits = 3 + Math.ceil(Math.log10(1 + Math.max(...cuts.map(Math.abs)) / (Math.max(...cuts) - Math.min(...cuts) || 1)));
  const points = candidate.case?.points;
  const range = ([low, high]) => {
    if (low === high) return "never";
    if (!points) return [low > -Infinity ? `above ${short(low, digits)}` : "", high < Infinity ? `up to ${short(high, digits)}` : ""].filter(Boolean).join(", ");
    const [from, to] = [low, high].map((threshold) => clamp(Math.floor(threshold), points.ends[0] - 1, points.ends[1]));
    return from === to ? "never" : from + 1 < to ? `${short(from + 1)} to ${short(to)}` : short(to);
  };
  fill(byId("thresholds"), ["class", points ? "sum of points" : "score"], answers.map((c, k) => [answerHead(c), range(all.slice(k, k + 2))]));
}

function showMeasures(outcome) {
  const where = state.refer ? "cross-validated, without referral" : "cross-validated";
  fill(byId("measures"), ["measure", where, "by chance"], objectives.flatMap((objective) => {
    const { words, meaning, chance } = objective;
    const [value, error] = measureOf(outcome, objective) ?? [];
    if (value === undefined) return [];
    return [[term(words, meaning), written2(value) + intervalWords(endsOf(objective, value, normalReach * error)), written2(chance)]];
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

// Accumulated local effect of each feature.
function showMoves({ moves }) {
  const highest = Math.max(0, ...moves.flatMap(({ adds }) => adds.map(Math.abs))) || 1;
  fillLong("moves", ["feature", "expected rank"], moves.map((move) => [termOf(move.name), element("td", curveOf(move, highest))]));
  say("moves-words", "Curves: accumulated local effects on the expected rank over the range of the feature, "
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
function modelDocument({ candidate, thresholds, along, cost, error: std_error, confusion, limits, decided }) {
  const about = {
    ...data.about,
    target: data.about.data.target ?? null,
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
  const isEach = upTo(r).map((k) => (c) => c === k);
  const errorOf = (isAmong, isWrong, of) => shareOf({ isAmong, isWrong }, of, masses.map(() => 1)).error;
  const reference = {
    cost,
    error: std_error,
    confusion: confusion.map((line, y) => line.slice(0, costs[0].length).map((count) => (count / (masses[y] || 1)) * inUse[y])),
    trained: sharesOfData,
    limits: limits.map(({ name, most, share, error, met }) => [name, most, share, error, met]),
    n_rows: n, n_units: nUnits,
    columns: candidate.profiles,
    class_errors: isEach.map((isOwn) => [state.priors ? 0 : errorOf(() => true, isOwn, codes), errorOf(isOwn, isOwn, decided)]),
    ratios: state.priors && ratiosOf(state),
  };
  const referral = state.refer && { label: state.label, thresholds: along.cuts, codes: along.codes };
  const own = { thresholds, ...(referral && { referral }), cost_matrix: costs, about, reference };
  return `${candidate.document.slice(0, -1)}, ${JSON.stringify(own).slice(1)}\n`;
}

function save(content, name, type) {
  const link = element("a", [], { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
