// What the score is made of: the shares of its terms, the greatest first, and their curves.

const LONGEST = 26; // letters of a name
const MOST_TERMS = 12; // before the others are asked for
const [CURVE_WIDTH, CURVE_HEIGHT] = [90, 30]; // in pixels
const fullNames = data.terms.map(({ features }) => features.join(" × "));
const termNames = shortNames(data.terms.map(({ features }) => (
  features.map((name) => shortName(name, features.length > 1 ? 12 : LONGEST)).join(" × ")
)), LONGEST);
const hasCurves = data.terms.some(({ curve }) => curve !== null);
let showAllTerms = false;

const weightsOf = (i, { start, size }) => Array.from(row(front.weights, front.p, i).subarray(start, start + size));

// Shares of the terms in the score: their spreads over the samples, of sum 1; one column has the
// sign of its weight.
function sharesOfScore(i) {
  const spreads = data.terms.map((each) => {
    const weights = weightsOf(i, each);
    const variance = sumOf(weights.flatMap((a, x) => weights.map((b, y) => a * b * each.covariance[x * each.size + y])));
    return Math.sqrt(Math.max(0, variance)) * (each.size === 1 && weights[0] < 0 ? -1 : 1);
  });
  const total = sumOf(spreads.map(Math.abs)) || 1;
  return spreads.map((value) => value / total);
}

// What a term adds to the score at values of its feature.
function curveOf(i, each) {
  const weights = weightsOf(i, each);
  return each.at.map((_, a) => sumOf(weights.map((weight, c) => weight * each.curve[a * each.size + c])));
}

function drawing(tag, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

// One line for each model, the pinned one dashed; all terms have the same vertical scale.
function curvesCell(models, t, largest) {
  const each = data.terms[t];
  const cell = element("td", undefined, { class: "curve" });
  if (each.curve === null) return cell;
  const words = `from ${short(each.at[0], 3)} to ${short(each.at.at(-1), 3)}`;
  cell.title = capital(words);
  const [width, middle] = [CURVE_WIDTH, CURVE_HEIGHT / 2];
  const picture = drawing("svg", { width, height: CURVE_HEIGHT, role: "img", "aria-label": `Curve of ${fullNames[t]} ${words}` });
  picture.append(drawing("line", { x1: 0, x2: width, y1: middle, y2: middle, class: "zero" }));
  models.forEach((i, m) => {
    const points = curveOf(i, each).map((value, a) => (
      `${((a / (each.at.length - 1)) * width).toFixed(1)},${(middle - (value / largest) * (middle - 2)).toFixed(1)}`
    ));
    picture.append(drawing("polyline", { points: points.join(" "), class: m + 1 < models.length ? "before" : "now" }));
  });
  cell.append(picture);
  return cell;
}

function shareCell(share, largest) {
  const cell = element("td", undefined, { class: "bar" });
  const bar = element("span", undefined, { class: share < 0 ? "negative" : "positive" });
  bar.style.setProperty("--size", Math.abs(share) / largest);
  cell.append(bar, element("span", `${share < 0 ? "−" : ""}${(100 * Math.abs(share)).toFixed(1)} %`, { class: "value" }));
  return cell;
}

// Bars of the shares of one or two models, and the curves or weights behind them.
function weightBars(models) {
  const shares = models.map(sharesOfScore);
  const size = (t) => Math.max(...shares.map((each) => Math.abs(each[t])));
  const order = data.terms.map((_, t) => t).sort((a, b) => size(b) - size(a) || a - b);
  const shown = showAllTerms ? order : order.slice(0, MOST_TERMS);
  const largest = size(order[0]) || 1;
  const heights = shown.filter((t) => data.terms[t].curve).flatMap((t) => models.flatMap((i) => curveOf(i, data.terms[t]).map(Math.abs)));
  const highest = Math.max(...heights) || 1;
  const body = element("tbody");
  for (const t of shown) {
    const line = element("tr");
    line.append(named("th", termNames[t], fullNames[t], { scope: "row" }), ...shares.map((each) => shareCell(each[t], largest)));
    if (hasCurves) line.append(curvesCell(models, t, highest));
    else if (models.length === 1) line.append(element("td", short(weightsOf(models[0], data.terms[t])[0], 6)));
    body.append(line);
  }
  const last = hasCurves ? ["what it adds"] : models.length > 1 ? [] : ["a unit adds"];
  const table = element("table", undefined, { class: hasCurves ? "bars with-curves" : "bars" });
  table.append(heading(["feature", ...(models.length > 1 ? ["pinned", "chosen"] : ["share of the score"]), ...last]), body);
  const all = element("div");
  all.append(table);
  if (order.length > MOST_TERMS) {
    const more = element("button", showAllTerms ? "Show the greatest" : `Show all ${order.length}`, { type: "button", class: "small" });
    more.addEventListener("click", () => {
      showAllTerms = !showAllTerms;
      const again = weightBars(models);
      all.replaceWith(again);
      again.querySelector("button").focus();
    });
    all.append(more);
  }
  return all;
}
