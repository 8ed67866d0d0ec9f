// The selected model: what it predicts, how good it is, what its score is made of, and its file.

const [CURVE_WIDTH, CURVE_HEIGHT] = [90, 30]; // in pixels

function showModel(outcome) {
  const { kind, confusion, costs } = outcome;
  byId("confusion").parentElement.classList.toggle("wide", r > MANY);
  const table = element("table", undefined, { class: r > MANY ? "confusion many" : "confusion" });
  byId("confusion").replaceChildren(tableOfClasses(table, (y, c) => {
    const count = confusion[y][c];
    const cell = element("td", grouped(count), { class: c === y ? "right" : "" });
    cell.title = `${(100 * count / masses[y]).toFixed(1)} % of this class`;
    cell.style.setProperty("--share", count / masses[y]);
    return cell;
  }, costs[0].length));
  showMeasures(outcome);
  byId("thresholds-box").hidden = kind.score === null;
  byId("parts-box").hidden = kind.parts.length === 0;
  if (kind.score !== null) showStrip(outcome);
  if (kind.parts.length > 0) showParts(kind);
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
  vus: (value) => (value > 0 ? `one row of each class: 1 draw in ${grouped(Number((1 / value).toPrecision(2)))} in the right order` : "no draw in the right order"),
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

// The terms of the score with their shares of it, or of a pool what moves its expected rank; a curve
// shows what a feature adds over its range.
function showParts({ parts, score }) {
  byId("parts-title").textContent = score ? "What the score is made of" : "What moves the answer (accumulated local effects on the expected rank)";
  const highest = Math.max(...parts.flatMap(({ curve }) => curve?.adds.map(Math.abs) ?? [])) || 1;
  fill(byId("parts"), ["feature", score ? "share of the score" : "share", parts.some(({ curve }) => curve) ? "what it adds" : "a unit adds"], parts.map((part) => {
    const bar = barCell(Math.sign(part.weight ?? 1) * part.share, parts[0].share || 1, `${(100 * part.share).toFixed(1)} %`);
    const name = element("span", part.name.replaceAll(" * ", " × "), { class: "name", title: part.name });
    return { cells: [element("th", name, { scope: "row" }), bar, part.curve ? curveOf(part.name, part.curve, highest) : part.weight === null ? "" : short(part.weight, 6)] };
  }));
}

// A cell with a bar of an amount, of which the most is as long as can be.
function barCell(amount, most, words) {
  const bar = element("td", [element("span"), words], { class: amount < 0 ? "bar negative" : "bar" });
  bar.style.setProperty("--size", Math.abs(amount) / most);
  return bar;
}

function curveOf(name, { at, adds, ends }, highest) {
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
