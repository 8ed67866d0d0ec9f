// The headline: what the choice costs, where that figure holds, and how it compares.

import { data, front, masses, nSamples, row, sharesOfData } from "./data.js";
import { byId, element, shortNames } from "./dom.js";
import { cheapestClass, costUnderShares } from "./costs.js";
import { counted, grouped, short } from "./numbers.js";
import { state } from "./state.js";

const classNames = shortNames(data.classes);

// The rule that was prepared for these costs, if there is one; costs that differ by a factor ask
// for the same rule.
export function selectionFor(matrix) {
  const flat = matrix.flat();
  const total = flat.reduce((a, b) => a + b, 0);
  const near = (a, b) => a.every((value, i) => Math.abs(value - b[i]) <= 1e-9);
  const priors = state.priors ?? sharesOfData;
  for (const each of data.selections) {
    const own = each.cost_matrix.reduce((a, b) => a + b, 0);
    if (state.limits.length > 0 || state.look !== null) return null;
    if (near(flat.map((cost) => cost / total), each.cost_matrix.map((cost) => cost / own))
      && near(priors, each.priors ?? sharesOfData)) {
      return { ...each, cost: (each.cost * total) / own, interval: each.interval.map((end) => (end * total) / own) };
    }
  }
  return null;
}

export function tellHeadline(found, side, selection) {
  const kind = byId("chosen-kind");
  const missing = found.best === null;
  const at = side && data.indices[side.candidate.i];
  const looking = state.look !== null && side !== null;
  kind.textContent = selection ? "Best for new data"
    : looking ? `Model ${at}`
    : side === null ? "No model meets all limits" : `Cheapest${state.limits.length > 0 ? " within the limits" : ""}: model ${at}`;
  byId("chosen-cost").textContent = selection ? short(selection.cost) : side === null ? "–" : short(side.cost);
  byId("cost-where").textContent = selection
    ? `expected cost on new data, 95 % interval ${short(selection.interval[0])} to ${short(selection.interval[1])}`
    : "expected cost in training";
  const notes = [];
  if (side === null) notes.push("Clear a limit or make it wider.");
  if (looking && !missing) {
    const cheapest = found.best;
    const words = state.limits.length > 0 ? "The cheapest within the limits" : "The cheapest";
    notes.push(`${words}, model ${data.indices[cheapest.candidate.i]}, costs ${short(cheapest.cost)}.`);
    if (found.chosen.broken > 0) notes.push("This model does not meet all limits.");
  }
  if (side && !selection) {
    notes.push(`This is a training figure, measured on the ${counted(nSamples, "sample")} that the models were fitted to: new data cost more.`);
  }
  if (selection && side) notes.push(`In training the cheapest model costs ${short(side.cost)}.`);
  if (side && front.holdoutConfusions && side.candidate.cuts === null) {
    const held = row(front.holdoutConfusions, front.r ** 2, side.candidate.i);
    notes.push(`On held-out samples: ${short(costUnderShares(Array.from(held), found.matrix, sharesInUse(held)))}.`);
  }
  byId("chosen-note").textContent = notes.join(" ");
  byId("unlook").hidden = !looking;
  byId("download").disabled = side === null;
  byId("pin").disabled = side === null;
  showScale(found, side, selection);
}

function sharesInUse(confusion) {
  if (state.priors) return state.priors;
  const own = masses.map((_, y) => row(confusion, front.r, y).reduce((a, b) => a + b, 0));
  const n = own.reduce((a, b) => a + b, 0);
  return own.map((mass) => mass / n);
}

// The figures on one scale: the choice, its rivals, and always one class.
function showScale(found, side, selection) {
  const shares = state.priors ?? sharesOfData;
  const one = cheapestClass(found.matrix, shares);
  const rivals = data.baselines.map(({ name, confusion }) => ({
    name: `${name}, cross-validated`, cost: costUnderShares(confusion, found.matrix, shares), kind: "rival",
  }));
  const marks = [
    ...(selection ? [{ name: "best for new data", cost: selection.cost, interval: selection.interval, kind: "choice" }] : []),
    ...(side ? [{ name: `model ${data.indices[side.candidate.i]}, training`, cost: side.cost, kind: selection ? "rival" : "choice" }] : []),
    ...rivals,
    { name: `always ${classNames[one.c]}`, cost: one.cost, kind: "rival" },
  ];
  const most = Math.max(...marks.map(({ cost, interval }) => interval?.[1] ?? cost)) || 1;
  byId("scale").replaceChildren(...marks.map(({ name, cost, interval, kind }) => {
    const line = element("li", undefined, { class: kind });
    const track = element("span", undefined, { class: "track", "aria-hidden": "true" });
    const dot = element("span", undefined, { class: "mark" });
    dot.style.setProperty("--at", cost / most);
    if (interval) {
      const bar = element("span", undefined, { class: "interval" });
      bar.style.setProperty("--from", interval[0] / most);
      bar.style.setProperty("--to", interval[1] / most);
      track.append(bar);
    }
    track.append(dot);
    line.append(element("span", name, { class: "who" }), track, element("span", short(cost, 3), { class: "value" }));
    return line;
  }));
}

// What to type where the data are, for the rule that is fitted to new data.
export function commandForNewData(found) {
  const costs = state.matrix ? null : state.classCosts;
  const priors = state.priors;
  if (data.run === null) {
    const given = costs
      ? `class_costs=[${costs.join(", ")}], loss="${state.loss}"`
      : `cost_matrix=[${found.matrix.map((line) => `[${line.join(", ")}]`).join(", ")}]`;
    return `search.select(${given}${priors ? `, priors=[${priors.join(", ")}]` : ""})`;
  }
  const given = costs ? `--class-costs ${costs.join(",")} --loss ${state.loss}` : "--cost-matrix costs.csv";
  return `moselect select ${data.run} ${given}${priors ? ` --priors ${priors.join(",")}` : ""}`;
}

export function introduce() {
  byId("name").textContent = data.name ?? "Front of ordinal models";
  byId("facts").textContent = [
    counted(data.n_models, "model"),
    counted(data.n_samples, "sample"),
    counted(front.r, "class").replace("classs", "classes"),
    counted(front.p, "feature"),
    data.target === null ? "" : `target ${data.target}`,
  ].filter(Boolean).join(" · ");
  if (front.k < data.n_models) {
    byId("shown").hidden = false;
    byId("shown").textContent = `Shown are ${grouped(front.k)} of the ${grouped(data.n_models)} `
      + "models, spread evenly over the front; the cheapest is that of these.";
  }
  const twins = data.objectives.filter((each) => each.same_as !== null);
  byId("twins").hidden = twins.length === 0;
  byId("twins").textContent = `Here ${twins
    .map((each) => `${each.words} is the same as ${data.objectives[each.same_as].words}`).join(", ")}: each is shown once.`;
}
