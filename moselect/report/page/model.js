// One model: what it predicts, how good it is, and its file. `side` is a candidate with what
// follows from it: {candidate, cost, confusion, measures, thresholds}.

import { data, front, masses, row } from "./data.js";
import { byId, element, heading, named, shortNames } from "./dom.js";
import { colour, font, pen, ticks } from "./canvas.js";
import { grouped, measured, short, titles } from "./numbers.js";
import { distinct, state } from "./state.js";
import { canSolve, countsOf, cutsOf } from "./thresholds.js";
import { confusionOf, measureOf, thresholdsOf } from "./choice.js";
import { weightBars } from "./weights.js";
import { term } from "./words.js";

export const classNames = shortNames(data.classes);
export const MANY = 7; // classes, whose confusion matrix takes all the width
const BUCKETS = 90;

export function sideOf(candidate, cost) {
  const confusion = confusionOf(candidate);
  return {
    candidate,
    cost,
    confusion,
    measures: data.objectives.map((_, j) => measureOf(candidate, j, confusion)),
    thresholds: thresholdsOf(candidate),
  };
}

export function confusionTable(confusion, text = grouped, shade = (count, mass) => count / mass) {
  const table = element("table", undefined, { class: front.r > MANY ? "confusion many" : "confusion" });
  table.style.setProperty("--classes", front.r);
  const head = heading(["true", ...classNames.map((name, c) => named("th", name, data.classes[c], { scope: "col" }))]);
  const body = element("tbody");
  masses.forEach((_, y) => {
    const line = element("tr");
    const counts = row(confusion, front.r, y);
    const mass = counts.reduce((a, b) => a + b, 0) || 1;
    line.append(named("th", classNames[y], data.classes[y], { scope: "row" }));
    counts.forEach((count, predicted) => {
      const cell = element("td", text(count));
      cell.title = `${((100 * count) / mass).toFixed(1)} % of this class`;
      const share = shade(count, mass);
      cell.style.setProperty("--share", Math.abs(share));
      cell.classList.toggle("right", predicted === y);
      cell.classList.toggle("less", share < 0);
      line.append(cell);
    });
    body.append(line);
  });
  table.append(head, body);
  return table;
}

export function showModel(side) {
  byId("model-none").hidden = side !== null;
  byId("model-parts").hidden = side === null;
  if (side === null) return;
  byId("confusion").parentElement.classList.toggle("wide", front.r > MANY);
  byId("confusion-title").textContent = `What it predicts${side.crossed ? " on new data, cross-validated" : ", in training"}`;
  byId("confusion").replaceChildren(confusionTable(side.crossed ?? side.confusion));
  showObjectives(side);
  showThresholds(side.thresholds);
  drawStrip(byId("strip"), side);
  byId("weights").replaceChildren(weightBars([side.candidate.i]));
}

function showObjectives({ candidate: { i, cuts }, measures }) {
  const columns = [["training", (j) => measured(j, measures[j])]];
  if (front.expected) {
    columns.unshift(["expected on new data, 95\u00a0%", (j) => (
      `${measured(j, front.expected[i * front.m + j])} ± ${measured(j, 1.96 * front.expectedSe[i * front.m + j])}`
    )]);
  }
  if (front.holdout) {
    columns.push(["held out", (j) => {
      const value = front.holdout[i * front.m + j];
      return Number.isNaN(value) ? "–" : measured(j, value);
    }]);
  }
  columns.push(["best on the front", (j) => measured(j, data.objectives[j].best)]);
  columns.push(["chance", (j) => measured(j, data.objectives[j].chance)]);
  const body = element("tbody");
  for (const j of distinct) {
    const line = element("tr");
    const name = element("th", undefined, { scope: "row" });
    name.append(term(titles[j], data.objectives[j].meaning));
    line.append(name);
    for (const [, value] of columns) line.append(element("td", value(j)));
    body.append(line);
  }
  byId("objective-values").replaceChildren(heading(["measure", ...columns.map(([name]) => name)]), body);
  byId("objectives-note").hidden = cuts === null || !(front.holdout || front.expected);
}

function showThresholds(thresholds) {
  const body = element("tbody");
  data.classes.forEach((name, c) => {
    const line = element("tr");
    line.append(named("th", classNames[c], name, { scope: "row" }), element("td", scoresOf(thresholds, c)));
    body.append(line);
  });
  byId("thresholds").replaceChildren(heading(["class", "score"]), body);
}

function scoresOf(thresholds, c) {
  const low = c === 0 ? -Infinity : thresholds[c - 1];
  const high = c === thresholds.length ? Infinity : thresholds[c];
  if (low === high) return "never";
  if (low === -Infinity) return `up to ${short(high, 6)}`;
  if (high === Infinity) return `above ${short(low, 6)}`;
  return `above ${short(low, 6)}, up to ${short(high, 6)}`;
}

// Where the classes lie along the score: their densities, one below the other, and the thresholds.
// At the next frame, as its width is known only once the page is laid out.
export function drawStrip(canvas, side) {
  canvas.hidden = !canSolve;
  if (canSolve) requestAnimationFrame(() => paintStrip(canvas, side));
}

function paintStrip(canvas, { candidate: { i }, thresholds }) {
  const line = Math.max(16, Math.min(30, 240 / front.r));
  const width = canvas.parentElement.clientWidth;
  const left = 84;
  const height = line * front.r + 24;
  const drawn = pen(canvas, width, height);
  const cuts = cutsOf(i);
  const low = front.scoreLow[i];
  const high = low + 65000 * front.scoreStep[i];
  const toX = (score) => left + ((score - low) / (high - low || 1)) * (width - left - 8);
  const densities = densitiesOf(i, cuts, low, high);
  const tallest = Math.max(...densities.flat()) || 1;
  drawn.font = font(11);
  drawn.textBaseline = "middle";
  densities.forEach((values, y) => {
    const floor = line * (y + 1) - 2;
    drawn.fillStyle = colour("model");
    drawn.globalAlpha = 0.75;
    drawn.beginPath();
    drawn.moveTo(left, floor);
    values.forEach((value, b) => drawn.lineTo(left + ((b + 0.5) / BUCKETS) * (width - left - 8), floor - (value / tallest) * (line - 4)));
    drawn.lineTo(width - 8, floor);
    drawn.fill();
    drawn.globalAlpha = 1;
    drawn.fillStyle = colour("muted");
    drawn.textAlign = "left";
    let name = classNames[y];
    while (name.length > 2 && drawn.measureText(name).width > left - 8) name = `${name.slice(0, -2)}…`;
    drawn.fillText(name, 0, floor - line / 2 + 2);
  });
  drawn.strokeStyle = colour("chosen");
  drawn.lineWidth = 2;
  for (const threshold of thresholds) {
    const x = Math.max(left, Math.min(width - 8, toX(threshold)));
    drawn.beginPath();
    drawn.moveTo(x, 0);
    drawn.lineTo(x, line * front.r);
    drawn.stroke();
  }
  drawn.fillStyle = colour("muted");
  drawn.textAlign = "center";
  for (const { value, text } of ticks(low, high, Math.max(2, Math.floor(width / 110)))) {
    drawn.fillText(text, Math.max(left, Math.min(width - 20, toX(value))), height - 8);
  }
}

function densitiesOf(i, cuts, low, high) {
  const counts = countsOf(i);
  const found = data.classes.map(() => new Array(BUCKETS).fill(0));
  const edges = [low, ...Array.from(cuts, (cut) => Math.max(low, Math.min(high, cut))), high];
  const width = (high - low) / BUCKETS || 1;
  for (let b = 0; b + 1 < edges.length; b++) {
    const from = Math.min(BUCKETS - 1, Math.max(0, Math.floor((edges[b] - low) / width)));
    const to = Math.max(from, Math.min(BUCKETS - 1, Math.ceil((edges[b + 1] - low) / width) - 1));
    for (let y = 0; y < front.r; y++) {
      const share = counts[b * front.r + y] / (masses[y] * (to - from + 1));
      for (let x = from; x <= to; x++) found[y][x] += share;
    }
  }
  const kernel = [1, 3, 5, 6, 5, 3, 1];
  return found.map((values) => values.map((_, x) => (
    kernel.reduce((sum, weight, d) => sum + weight * (values[x + d - 3] ?? 0), 0) / 24
  )));
}

// The document of `moselect predict`. Labels and names stand in `data.document` as Python wrote
// them: 1.0 stays 1.0, and long integers keep their digits. Numbers of JavaScript are written with
// as many digits as bring them back to the last bit.
export function modelDocument(side, found) {
  const { i, cuts } = side.candidate;
  const own = {
    thresholds: side.thresholds,
    coef: Array.from(row(front.weights, front.p, i)),
    about: {
      ...data.about,
      front_index: data.indices[i],
      thresholds: cuts === null ? "of the search" : "solved for the costs",
      cost_matrix: found.matrix,
      priors: state.priors,
      limits: state.limits,
      training_cost: side.cost,
    },
  };
  return `${data.document.slice(0, -1)}, ${JSON.stringify(own).slice(1)}\n`;
}

export function save(text, name, type) {
  const link = element("a", undefined, { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
