// The chosen model: what it predicts, how good it is, and its file.
"use strict";

function showModel() {
  const i = chosen();
  showConfusion(row(front.confusions, front.r * front.r, i));
  showObjectives(i);
  showThresholds(row(front.thresholds, front.r - 1, i));
  showWeights(row(front.weights, front.p, i));
}

function showConfusion(confusion) {
  const masses = classMasses(confusion, front.r);
  const head = element("tr");
  head.append(element("th", "true", { scope: "col" }));
  for (const name of data.classes) head.append(named("th", name, { scope: "col" }));
  const body = element("tbody");
  masses.forEach((mass, y) => {
    const line = element("tr");
    line.append(named("th", data.classes[y], { scope: "row" }));
    row(confusion, front.r, y).forEach((count, predicted) => {
      const share = count / mass;
      const cell = element("td", grouped(count));
      cell.title = `${(100 * share).toFixed(1)} % of this class`;
      cell.style.setProperty("--share", share);
      cell.classList.toggle("right", predicted === y);
      line.append(cell);
    });
    body.append(line);
  });
  const top = element("thead");
  top.append(head);
  byId("confusion").style.setProperty("--classes", front.r);
  byId("confusion").replaceChildren(top, body);
}

function showObjectives(i) {
  const columns = [
    ["this", (j) => objective(i, j)],
    ["best", (j) => data.objectives[j].best],
    ["chance", (j) => data.objectives[j].chance],
  ];
  if (front.holdout) columns.splice(1, 0, ["held out", (j) => front.holdout[i * front.m + j]]);
  const lines = data.objectives.map((each, j) => {
    const line = element("tr");
    line.append(named("th", each.words, { scope: "row" }));
    for (const [, value] of columns) line.append(element("td", value(j).toFixed(4)));
    return line;
  });
  byId("objective-values").replaceChildren(heading(["", ...columns.map(([name]) => name)]), ...lines);
}

function showThresholds(thresholds) {
  const lines = data.classes.map((name, c) => {
    const line = element("tr");
    line.append(named("th", name, { scope: "row" }), element("td", scoresOf(thresholds, c)));
    return line;
  });
  byId("thresholds").replaceChildren(heading(["class", "score"]), ...lines);
}

function scoresOf(thresholds, c) {
  const low = c === 0 ? -Infinity : thresholds[c - 1];
  const high = c === thresholds.length ? Infinity : thresholds[c];
  if (low === high) return "never";
  if (low === -Infinity) return `up to ${short(high, 6)}`;
  if (high === Infinity) return `above ${short(low, 6)}`;
  return `above ${short(low, 6)}, up to ${short(high, 6)}`;
}

function showWeights(weights) {
  const lines = data.features.map((name, j) => {
    const line = element("tr");
    line.append(named("th", name, { scope: "row" }), element("td", short(weights[j], 6)));
    return line;
  });
  byId("weights").replaceChildren(heading(["feature", "a unit adds"]), ...lines);
}

function heading(names) {
  const line = element("tr");
  for (const name of names) line.append(element("th", name, { scope: "col" }));
  return line;
}

// The document of `moselect predict`. Labels and names stand in `data.document` as Python wrote
// them: 1.0 stays 1.0, and long integers keep their digits. Numbers of JavaScript are written with
// as many digits as bring them back to the last bit.
function modelDocument(i) {
  const matrix = costMatrix(state.classCosts, state.loss);
  const own = {
    thresholds: Array.from(row(front.thresholds, front.r - 1, i)),
    coef: Array.from(row(front.weights, front.p, i)),
    about: {
      ...data.about,
      place_on_front: data.places[i],
      cost_matrix: matrix,
      priors: state.priors,
      training_cost: state.costs[i],
      cheapest_in_training: i === state.cheapest,
    },
  };
  return `${data.document.slice(0, -1)}, ${JSON.stringify(own).slice(1)}\n`;
}

function download() {
  const file = new Blob([modelDocument(chosen())], { type: "application/json" });
  const link = element("a", undefined, { href: URL.createObjectURL(file), download: "model.json" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
