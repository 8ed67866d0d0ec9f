// The selected model: what it predicts, how good it is, what its score is made of, and its file.

const [CURVE_WIDTH, CURVE_HEIGHT] = [90, 30]; // in pixels

function showModel({ kind, thresholds, confusion }) {
  byId("confusion").parentElement.classList.toggle("wide", r > MANY);
  const table = element("table", undefined, { class: r > MANY ? "confusion many" : "confusion" });
  byId("confusion").replaceChildren(tableOfClasses(table, (y, c) => {
    const count = confusion[y * r + c];
    const cell = element("td", grouped(count), { class: c === y ? "right" : "" });
    cell.title = `${(100 * count / masses[y]).toFixed(1)} % of this class`;
    cell.style.setProperty("--share", count / masses[y]);
    return cell;
  }));
  showMeasures(kind, confusion);
  for (const box of ["thresholds-box", "parts-box"]) byId(box).hidden = kind.score === null;
  if (kind.score === null) return;
  const told = kind.name === "points" ? sumsOf : scoresOf;
  fill(byId("thresholds"), ["class", kind.name === "points" ? "sum of points" : "score"], data.classes.map((_, c) => ({ cells: [classHead(c, "row"), told(thresholds, c, kind)] })));
  showParts(kind);
}

// The sums of points that mean a class, of those that can occur.
function sumsOf(thresholds, c, { case: { terms } }) {
  const [least, most] = [Math.min, Math.max].map((end) => sumOf(terms.map(([points]) => end(0, points))));
  const [low, high] = [(thresholds[c - 1] ?? -Infinity), (thresholds[c] ?? Infinity)].map((threshold) => Math.min(most, Math.max(least - 1, Math.floor(threshold))));
  if (low === high) return "never";
  return low + 1 < high ? `${short(low + 1)} to ${short(high)}` : short(high);
}

function scoresOf(thresholds, c) {
  const [low, high] = [thresholds[c - 1] ?? -Infinity, thresholds[c] ?? Infinity];
  if (low === high) return "never";
  const digits = 3 + Math.ceil(Math.log10(1 + Math.max(...thresholds.map(Math.abs)) / (Math.max(...thresholds) - Math.min(...thresholds) || 1)));
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

// The measures of classes are those of the decision; rankings are those of the kind.
function showMeasures(kind, confusion) {
  fill(byId("measures"), ["measure", "on new data", "by chance"], data.front.objectives.flatMap(({ key, words, meaning, chance, costs }) => {
    const value = costs ? 1 - sumOf(Array.from(confusion, (count, cell) => count * costs[cell])) / total : kind.measures[key]?.[0];
    if (value === undefined) return [];
    const error = costs ? "" : ` ± ${written2(data.reach * kind.measures[key][1])}`;
    return [
      { cells: [element("th", term(words, meaning), { scope: "row" }), `${written2(value)}${error}`, written2(chance)] },
      ...(key in SENTENCES ? [{ class: "sentence", cells: [element("td", SENTENCES[key](value), { colspan: 3 })] }] : []),
    ];
  }));
}

const written2 = (value) => (value !== 0 && Math.abs(value) < 0.005 ? short(value, 2) : withMinus(value.toFixed(2)));

// The terms of the score with their shares of it; a curve shows what a feature adds over its range.
function showParts({ parts, case: { terms, columns } }) {
  const names = shortNames(parts.map(({ name }) => name), 26);
  const drawn = parts.map(({ name, weight }) => (weight === null && columns[name]?.range ? curveAlong({ terms, columns }, name) : null));
  const highest = Math.max(...drawn.flatMap((curve) => curve?.adds.map(Math.abs) ?? [])) || 1;
  fill(byId("parts"), ["feature", "share of the score", drawn.some(Boolean) ? "what it adds" : "a unit adds"], parts.map((part, p) => {
    const bar = barCell(Math.sign(part.weight ?? 1) * part.share, parts[0].share || 1, `${(100 * part.share).toFixed(1)} %`);
    const name = element("span", names[p], { class: "name", title: part.name });
    return { cells: [element("th", name, { scope: "row" }), bar, drawn[p] ? curveOf(drawn[p], highest) : part.weight === null ? "" : short(part.weight, 6)] };
  }));
}

// A cell with a bar of an amount, of which the most is as long as can be.
function barCell(amount, most, words) {
  const bar = element("td", [element("span"), words], { class: amount < 0 ? "bar negative" : "bar" });
  bar.style.setProperty("--size", Math.abs(amount) / most);
  return bar;
}

function drawing(tag, attributes, contents = []) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...contents);
  return made;
}

function curveOf({ name, at, adds }, highest) {
  const [middle, reach] = [CURVE_HEIGHT / 2, at.at(-1) - at[0] || 1];
  const points = at.map((value, a) => (
    `${(((value - at[0]) / reach) * CURVE_WIDTH).toFixed(1)},${(middle - (adds[a] / highest) * (middle - 2)).toFixed(1)}`
  ));
  const words = `from ${short(at[0])} to ${short(at.at(-1))}`;
  return drawing("svg", { width: CURVE_WIDTH, height: CURVE_HEIGHT, role: "img", class: "curve", "aria-label": `Curve of ${name} ${words}` }, [
    drawing("title", {}, [capital(words)]),
    drawing("line", { x1: 0, x2: CURVE_WIDTH, y1: middle, y2: middle, class: "zero" }),
    drawing("polyline", { points: points.join(" ") }),
  ]);
}

// The document of `moselect predict`. Labels and weights stand in the kind's document as Python
// wrote them: 1.0 stays 1.0, and long integers keep their digits.
function modelDocument({ kind, thresholds, cost, error, limits }) {
  const own = {
    thresholds,
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
