// The selected model: what it predicts, how good it is, what moves its answer, and its file.

const [CURVE_WIDTH, CURVE_HEIGHT] = [90, 30]; // in pixels
const MOST_PARTS = 10; // lines of a table, others are opened

function showModel(outcome) {
  const { kind, confusion, costs } = outcome;
  tableOfClasses("confusion", (y, c) => {
    const count = confusion[y][c];
    const cell = element("td", grouped(count), { class: c === y ? "right" : "" });
    cell.title = `${(100 * count / masses[y]).toFixed(1)} % of this class`;
    cell.style.setProperty("--share", count / masses[y]);
    return cell;
  }, costs[0].length);
  showMeasures(outcome);
  byId("thresholds-box").hidden = kind.score === null;
  for (const part of ["parts", "moves"]) byId(`${part}-box`).hidden = kind[part].length === 0;
  if (kind.score !== null) showStrip(outcome);
  if (kind.parts.length > 0) showParts(kind);
  if (kind.moves.length > 0) showMoves(kind);
}

// The sums of points that mean a class, of those that can occur.
function sumsOf([low, high], { case: { points: all } }) {
  const [least, most] = [Math.min, Math.max].map((end) => sumOf(all.map(([points]) => end(0, points))));
  const [from, to] = [low, high].map((cut) => Math.min(most, Math.max(least - 1, Math.floor(cut))));
  if (from === to) return "never";
  return from + 1 < to ? `${short(from + 1)} to ${short(to)}` : short(to);
}

function scoresOf([low, high], digits) {
  if (low === high) return "never";
  return [low > -Infinity ? `above ${short(low, digits)}` : "", high < Infinity ? `up to ${short(high, digits)}` : ""].filter(Boolean).join(", ");
}

// What a measure says, in words, beside what chance reaches.
const SENTENCES = {
  accuracy: (value) => `${outOf(100, value)} of 100 rows get exactly their class`,
  one_minus_mae: (value) => `${short(1 - value, 2)} classes off on average`,
  vus: (value) => `one row of each class: in the right order in ${outOf(100, value)} of 100 draws`,
  u_cons: (value) => `${outOf(100, value)} of 100 rows of a higher group score above one of a lower`,
  u_ovo: (value) => `${outOf(100, value)} of 100 pairs of classes in the right order`,
  u_pairs: (value) => `${outOf(100, value)} of 100 pairs of rows in the right order`,
};
const outOf = (all, value) => short(all * Math.max(0, value), 2);

// The measures of classes are those of the decision, if no row were left to a person; rankings are
// those of the kind.
function showMeasures({ kind, solved }) {
  const confusion = countsOf(decide(kind, solved.map((line) => line.slice(0, r))));
  fill(byId("measures"), ["measure", "on new data", "by chance"], data.front.objectives.flatMap(({ key, words, meaning, chance, costs }) => {
    const value = costs ? 1 - sumOf(costs.map((cost, cell) => confusion[Math.floor(cell / r)][cell % r] * cost)) / total : kind.measures[key]?.[0];
    if (value === undefined) return [];
    const error = costs ? "" : ` ± ${written2(data.reach * kind.measures[key][1])}`;
    return [
      { cells: [element("th", term(words, meaning), { scope: "row" }), `${written2(value)}${error}`, written2(chance)] },
      ...(key in SENTENCES ? [{ class: "sentence", cells: [element("td", SENTENCES[key](value), { colspan: 3 })] }] : []),
    ];
  }));
}

const written2 = (value) => (value !== 0 && Math.abs(value) < 0.005 ? short(value, 2) : withMinus(value.toFixed(2)));

// A table of which the first lines are shown, and the others when they are asked for.
function fillLong(id, heads, lines) {
  const more = byId(`${id}-more`);
  fill(byId(id), heads, lines.slice(0, MOST_PARTS));
  more.hidden = lines.length <= MOST_PARTS;
  more.replaceChildren(element("summary", `${lines.length - MOST_PARTS} more`), fill(element("table", undefined), heads, lines.slice(MOST_PARTS)));
}
const nameCell = (name) => element("th", element("span", name.replaceAll(" * ", " × "), { class: "name", title: name }), { scope: "row" });

// The terms of a score with their shares of it.
function showParts({ parts }) {
  fillLong("parts", ["term", "share of the score", "a unit adds"], parts.map(({ name, share, weight }) => ({ cells: [
    nameCell(name), barCell(Math.sign(weight ?? 1) * share, parts[0].share || 1, `${(100 * share).toFixed(1)} %`), weight === null ? "a curve" : short(weight, 6),
  ] })));
}

function lossCell([more, error], most) {
  const cell = barCell(Math.max(0, more), most, `${money(more)} ± ${money(data.reach * error)}`);
  cell.classList.add("figures");
  return cell;
}

// What a row costs more if a feature is permuted, where it is known, and how the answer moves along it.
function showMoves({ name: kind, moves }) {
  const loss = data.importance?.kind === kind ? data.importance.loss : null;
  const sorted = loss ? moves.toSorted((a, b) => loss[b.name][0] - loss[a.name][0]) : moves;
  const highest = Math.max(...moves.flatMap(({ adds }) => adds.map(Math.abs))) || 1;
  const most = loss && (Math.max(...Object.values(loss).map(([value]) => value)) || 1);
  fillLong("moves", ["feature", ...(loss ? ["costs more if permuted"] : []), "expected rank"], sorted.map((move) => ({ cells: [
    nameCell(move.name), ...(loss ? [lossCell(loss[move.name], most)] : []), curveOf(move, highest),
  ] })));
  byId("moves-words").textContent = (loss ? "What a row costs more on new data, at the costs that the page begins with, if the feature is permuted, with 95 % intervals. "
    : data.importance ? `What matters on new data was worked out for ${data.importance.kind}. ` : "")
    + `Curves: how the expected rank moves from the least to the greatest value (accumulated local effects on the rows of the data), by up to ${short(highest, 2)} classes.`;
}

// A cell with a bar of an amount, of which the most is as long as can be.
function barCell(amount, most, words) {
  const bar = element("td", [element("span"), words], { class: amount < 0 ? "bar negative" : "bar" });
  bar.style.setProperty("--size", Math.abs(amount) / most);
  return bar;
}

function curveOf({ name, at, adds, ends }, highest) {
  const [middle, reach] = [CURVE_HEIGHT / 2, at.at(-1) - at[0] || 1];
  const points = at.map((value, a) => (
    `${(((value - at[0]) / reach) * CURVE_WIDTH).toFixed(1)},${(middle - (adds[a] / highest) * (middle - 2)).toFixed(1)}`
  ));
  const [from, to] = ends ?? [at[0], at.at(-1)].map((value) => short(value));
  const words = `from ${from} to ${to}`;
  return drawing("svg", { width: CURVE_WIDTH, height: CURVE_HEIGHT, role: "img", class: "curve", "aria-label": `Curve of ${name} ${words}` }, [
    drawing("title", {}, [capital(words)]),
    drawing("line", { x1: 0, x2: CURVE_WIDTH, y1: middle, y2: middle, class: "zero" }),
    drawing("polyline", { points: points.join(" ") }),
  ]);
}

// The document of `moselect predict`. Labels and weights stand in the kind's document as Python
// wrote them: 1.0 stays 1.0, and long integers keep their digits.
function modelDocument({ kind, thresholds, referral, cost, error, limits }) {
  const own = {
    thresholds,
    ...(referral ? { referral } : {}),
    about: {
      ...data.about,
      kind: kind.name,
      cost_matrix: matrixOf(state),
      priors: state.priors && sharesOf(state.priors),
      expected_cost: cost,
      standard_error: error,
      limits: state.limits.map((limit, l) => ({ limit: limitKey(limit), most: limit.most, ...limits[l] })),
    },
  };
  return `${kind.document.slice(0, -1)}, ${JSON.stringify(own).slice(1)}\n`;
}

function save(text, name, type) {
  const link = element("a", undefined, { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
