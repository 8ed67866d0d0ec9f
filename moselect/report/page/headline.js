// The headline: what the choice costs, where that figure holds, and how it compares.

import { data, front, hasSelected, indexOfKey, masses, nameOf, nSamples, row, sharesOfData } from "./data.js";
import { byId, element, shortNames } from "./dom.js";
import { cheapestClass, costUnderShares } from "./costs.js";
import { isOfClasses, meets } from "./choice.js";
import { valueWords } from "./limits.js";
import { counted, grouped, joined, short, withMinus } from "./numbers.js";
import { distinct, state } from "./state.js";
import { term } from "./words.js";

const classNames = shortNames(data.classes);
const NOTHING = 1e-6; // shares of the scale that are rounding errors

export function tellHeadline(found, side, selection) {
  const missing = found.best === null;
  const looking = state.look !== null && side !== null;
  const name = side && nameOf(side.candidate.i);
  const within = state.limits.length > 0 ? ", within the limits" : "";
  byId("chosen-kind").textContent = selection ? `Best for new data${within}`
    : looking ? `Model ${data.indices[side.candidate.i]}`
    : side === null ? "No model meets all limits" : `Cheapest in training${within}: ${name}`;
  byId("chosen-cost").textContent = selection ? short(selection.value) : side === null ? "–" : short(side.cost);
  byId("cost-where").textContent = selection
    ? `${kindOf(selection)} on new data, 95 % interval ${short(selection.interval[0])} to ${short(selection.interval[1])}`
    : `mean cost in training${side?.candidate.cuts ? ", thresholds solved for it" : ""}`;
  const notes = [];
  if (side === null) notes.push("Clear a limit or make it wider.");
  if (looking && !missing) {
    const words = state.limits.length > 0 ? "The cheapest within the limits" : "The cheapest";
    notes.push(`${words}, ${nameOf(found.best.candidate.i)}, costs ${short(found.best.cost)}.`);
    if (found.chosen.broken > 0) notes.push("This model does not meet all limits.");
  }
  if (side && !selection) {
    notes.push(`This is a training figure, measured on the ${counted(nSamples, "sample")} that the models were fitted to: new data cost more.`);
  }
  if (selection) notes.push(...notesOn(selection));
  else if (side) notes.push(...notesOnLimits(found, side));
  if (state.setting !== null && !selection) {
    notes.push("Preferences are for the model selected by them, no model of the front: this figure is by the costs below.");
  }
  if (!selection && side && front.holdoutConfusions && side.candidate.cuts === null) {
    const held = row(front.holdoutConfusions, front.r ** 2, side.candidate.i);
    notes.push(`On held-out samples: ${short(costUnderShares(Array.from(held), found.matrix, sharesInUse(held)))}.`);
  }
  byId("chosen-note").textContent = notes.join(" ");
  byId("verdicts").replaceChildren(...(selection?.verdicts ?? []).map((each) => (
    element("li", `${each[0].toUpperCase()}${withMinus(each.slice(1))}.`)
  )));
  byId("download-note").textContent = selection?.document
    ? "The download is the model selected for this setting."
    : side === null ? "" : `This downloads ${name} of the front as shown, chosen by its training figure. `
      + "The command for this setting, beside the costs, fits the model that is selected for new data.";
  byId("model-title").textContent = side === null ? "The chosen model"
    : `The chosen model: ${selection && hasSelected ? "best for new data" : name}`;
  byId("ring-name").textContent = selection && !hasSelected ? "cheapest in training" : "the choice";
  byId("unlook").hidden = !looking;
  byId("download").disabled = side === null && !selection?.document;
  byId("pin").disabled = side === null;
  byId("scale-title").textContent = selection?.preferences ? "Utility, higher is better" : "Mean cost of a prediction, lower is better";
  showScale(found, selection);
}

const kindOf = (selection) => (selection.preferences ? "utility" : "expected cost");

function notesOn({ preferences, training, held_out: heldOut }) {
  const notes = [];
  if (preferences) {
    notes.push("Utility is the weighted gain above chance, in units of the most that the front gains in training; higher is better.");
  }
  if (heldOut !== null) notes.push(`On held-out samples it costs ${short(heldOut)}.`);
  if (training !== null) notes.push(`Training alone promised ${short(training)}.`);
  return notes;
}

// Where limits hold, and where not.
function notesOnLimits({ missed }, side) {
  const notes = missed.map(({ limit, value }) => (Number.isNaN(value)
    ? "Whether the model selected for new data is within the limits is not known."
    : `The model selected for new data is not within the limits: ${valueWords(limit, value)} there.`
  ));
  if (state.limits.length === 0) return notes;
  notes.push("Limits are met in training.");
  for (const limit of state.limits) {
    const value = expectedValue(limit, side.candidate);
    if (value !== null && !meets(limit, value)) notes.push(`On new data this model may not meet them: ${valueWords(limit, value)} is expected.`);
  }
  return notes;
}

// What is expected of a model where its thresholds do not matter, or are those of the search.
function expectedValue({ key }, { i, cuts }) {
  if (key === undefined || !front.expected) return null;
  const j = indexOfKey(key);
  return cuts === null || !isOfClasses(j) ? front.expected[i * front.m + j] : null;
}

function sharesInUse(confusion) {
  if (state.priors) return state.priors;
  const own = masses.map((_, y) => row(confusion, front.r, y).reduce((a, b) => a + b, 0));
  const n = own.reduce((a, b) => a + b, 0);
  return own.map((mass) => mass / n);
}

// The figures on one scale: the choice, its rivals, and always one class.
function showScale(found, selection) {
  const shares = state.priors ?? sharesOfData;
  const one = cheapestClass(found.matrix, shares);
  const outside = !selection && !found.prepared?.preferences ? found.prepared : null; // of the limits
  const known = (selection ?? outside)?.rivals ?? [];
  const rivals = known.length > 0 ? known.map(({ name, value, low, high }) => ({
    name, where: "cross-validated", cost: value, interval: [low, high], kind: "rival",
  })) : data.baselines.map(({ name, confusion }) => ({
    name, where: "cross-validated", cost: costUnderShares(confusion, found.matrix, shares), kind: "rival",
  }));
  const marks = [
    ...(selection ? [{ name: "best for new data", cost: selection.value, interval: selection.interval, kind: "choice" }] : []),
    ...(found.chosen && !selection?.preferences ? [{
      name: selection ? "cheapest of the front" : nameOf(found.chosen.candidate.i), where: "in training", cost: found.chosen.cost, kind: selection ? "rival" : "choice",
    }] : []),
    ...(outside ? [{
      name: "selected for new data", where: "outside the limits", cost: outside.value, interval: outside.interval, kind: "rival",
    }] : []),
    ...rivals,
    ...(known.length > 0 ? [] : [{ name: `always ${classNames[one.c]}`, cost: one.cost, kind: "rival" }]),
  ];
  const most = Math.max(...marks.map(({ cost, interval }) => interval?.[1] ?? cost)) || 1;
  byId("scale").replaceChildren(...marks.map(({ name, where, cost, interval, kind }) => {
    const line = element("li", undefined, { class: kind });
    const track = element("span", undefined, { class: "track", "aria-hidden": "true" });
    const dot = element("span", undefined, { class: "mark" });
    dot.style.setProperty("--at", Math.max(0, cost / most));
    if (interval) {
      const bar = element("span", undefined, { class: "interval" });
      bar.style.setProperty("--from", Math.max(0, interval[0] / most));
      bar.style.setProperty("--to", interval[1] / most);
      track.append(bar);
    }
    track.append(dot);
    const who = element("span", undefined, { class: "who" });
    who.append(term(name, data.glossary[name]), where ? `, ${where}` : "");
    line.append(who, track, element("span", short(Math.abs(cost) < NOTHING * most ? 0 : cost, 3), { class: "value" }));
    return line;
  }));
}

// What to type where the data are, for the rule that is fitted to new data.
export function commandForNewData(found) {
  const preferences = state.setting === null ? null : data.selections[state.setting].preferences;
  if (preferences) {
    const named = Object.entries(preferences);
    if (data.run === null) {
      return named.length === 0 ? "search.select()"
        : `search.select(preferences={${named.map(([name, weight]) => `"${name}": ${weight}`).join(", ")}})`;
    }
    const given = named.length === 0 ? "" : ` --prefer ${named.map(([name, weight]) => `${name}=${weight}`).join(",")}`;
    return `moselect select ${data.run}${given}`;
  }
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
  const twins = distinct.map((j) => [j, data.objectives.filter((each) => each.same_as === j).map(({ words }) => words)])
    .filter(([, same]) => same.length > 0);
  byId("twins").hidden = twins.length === 0;
  byId("twins").textContent = `Here ${joined(twins.map(([j, same]) => (
    `${joined(same)} ${same.length === 1 ? "is" : "are"} the same as ${data.objectives[j].words}`
  )))}; each is shown once.`;
}
