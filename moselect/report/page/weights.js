// What the score is made of: the shares of its terms, the greatest first, and their curves.

import { data, front, row } from "./data.js";
import { element, heading, named, shortName, shortNames } from "./dom.js";
import { short } from "./numbers.js";

const LONGEST = 26; // letters of a name
export const fullNames = data.terms.map(({ features }) => features.join(" × "));
export const termNames = shortNames(data.terms.map(({ features }) => (
  features.map((name) => shortName(name, features.length > 1 ? 12 : LONGEST)).join(" × ")
)), LONGEST);
const MOST_TERMS = 12; // before the others are asked for
const hasCurves = data.terms.some(({ curve }) => curve !== null);
const [WIDTH, HEIGHT] = [90, 30]; // of a curve, in pixels

const weightsOf = (i, { start, size }) => row(front.weights, front.p, i).subarray(start, start + size);

// The spread of a term over the samples of the search; one column has the sign of its weight.
function spreadOf(i, term) {
  const weights = weightsOf(i, term);
  let variance = 0;
  weights.forEach((a, x) => weights.forEach((b, y) => { variance += a * b * term.covariance[x * term.size + y]; }));
  return Math.sqrt(Math.max(0, variance)) * (term.size === 1 && weights[0] < 0 ? -1 : 1);
}

// Shares of the terms in the score: their spreads, of sum 1.
export function sharesOfScore(i) {
  const spreads = data.terms.map((term) => spreadOf(i, term));
  const total = spreads.reduce((sum, value) => sum + Math.abs(value), 0) || 1;
  return spreads.map((value) => value / total);
}

// What a term adds to the score at values of its feature.
function curveOf(i, term) {
  const weights = weightsOf(i, term);
  return term.at.map((_, a) => weights.reduce((sum, weight, c) => sum + weight * term.curve[a * term.size + c], 0));
}

// One line for each model, the pinned one dashed; all terms have the same vertical scale.
function curvesCell(models, t, largest) {
  const term = data.terms[t];
  const cell = element("td", undefined, { class: "curve" });
  if (term.curve === null) return cell;
  const make = (tag, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };
  const [low, high] = [term.at[0], term.at.at(-1)].map((value) => short(value, 3));
  const picture = make("svg", { width: WIDTH, height: HEIGHT, role: "img", "aria-label": `Curve of ${fullNames[t]} from ${low} to ${high}` });
  const toY = (value) => (HEIGHT / 2 - (value / largest) * (HEIGHT / 2 - 2)).toFixed(1);
  picture.append(make("line", { x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2, class: "zero" }));
  models.forEach((i, m) => {
    const points = curveOf(i, term).map((value, a) => `${((a / (term.at.length - 1)) * WIDTH).toFixed(1)},${toY(value)}`);
    picture.append(make("polyline", { points: points.join(" "), class: m + 1 < models.length ? "before" : "now" }));
  });
  cell.title = `From ${low} to ${high}`;
  cell.append(picture);
  return cell;
}

let showAll = false;

// Bars of the shares of one or two models, and the curves or weights behind them.
export function weightBars(models) {
  const shares = models.map(sharesOfScore);
  const size = (t) => Math.max(...shares.map((each) => Math.abs(each[t])));
  const order = data.terms.map((_, t) => t).sort((a, b) => size(b) - size(a) || a - b);
  const shown = showAll ? order : order.slice(0, MOST_TERMS);
  const largest = size(order[0]) || 1;
  const highest = Math.max(1e-300, ...order.slice(0, MOST_TERMS).flatMap((t) => (
    data.terms[t].curve ? models.flatMap((i) => curveOf(i, data.terms[t]).map(Math.abs)) : []
  )));
  const table = element("table", undefined, { class: hasCurves ? "bars with-curves" : "bars" });
  const last = hasCurves ? ["what it adds"] : models.length > 1 ? [] : ["a unit adds"];
  table.append(heading(["feature", ...(models.length > 1 ? ["pinned", "chosen"] : ["share of the score"]), ...last]));
  const body = element("tbody");
  for (const t of shown) {
    const line = element("tr");
    line.append(named("th", termNames[t], fullNames[t], { scope: "row" }));
    shares.forEach((each) => line.append(shareCell(each[t], largest)));
    if (hasCurves) line.append(curvesCell(models, t, highest));
    else if (models.length === 1) line.append(element("td", short(weightsOf(models[0], data.terms[t])[0], 6)));
    body.append(line);
  }
  table.append(body);
  const all = element("div");
  all.append(table);
  if (order.length > MOST_TERMS) all.append(moreButton(models, all, order.length));
  return all;
}

function shareCell(share, largest) {
  const cell = element("td", undefined, { class: "bar" });
  const bar = element("span", undefined, { class: share < 0 ? "negative" : "positive" });
  bar.style.setProperty("--size", Math.abs(share) / largest);
  const words = `${share < 0 ? "−" : ""}${(100 * Math.abs(share)).toFixed(1)} %`;
  cell.append(bar, element("span", words, { class: "value" }));
  return cell;
}

function moreButton(models, all, count) {
  const more = element("button", showAll ? "Show the greatest" : `Show all ${count}`, { type: "button", class: "small" });
  more.addEventListener("click", () => {
    showAll = !showAll;
    const again = weightBars(models);
    all.replaceWith(again);
    again.querySelector("button").focus();
  });
  return more;
}
