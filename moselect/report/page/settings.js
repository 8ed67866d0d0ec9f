// The settings for which models were selected when the page was made, with figures for new data.

import { data, front, hasSelected, indexOfKey, sharesOfData } from "./data.js";
import { counts, meets } from "./choice.js";
import { byId, element } from "./dom.js";
import { short } from "./numbers.js";
import { change, state } from "./state.js";

const FAR = 1e-9; // shares of costs that differ by less are the same

const sumOf = (values) => values.reduce((a, b) => a + b, 0);

function difference(flat, each) {
  const [total, own] = [sumOf(flat), sumOf(each.cost_matrix)];
  return Math.max(...flat.map((cost, i) => Math.abs(cost / total - each.cost_matrix[i] / own)));
}

function comparable(each) {
  const priors = state.priors ?? sharesOfData;
  return each.cost_matrix && (each.priors ?? sharesOfData).every((share, c) => Math.abs(share - priors[c]) <= FAR);
}

// In the unit of the costs that are set: costs that differ by a factor ask for the same model.
function inUnit(flat, each) {
  const factor = sumOf(flat) / sumOf(each.cost_matrix);
  const times = (value) => (value === null ? null : value * factor);
  return {
    ...each,
    value: times(each.value),
    interval: each.interval.map(times),
    training: times(each.training),
    held_out: times(each.held_out),
    rivals: each.rivals.map((rival) => ({ ...rival, value: times(rival.value), low: times(rival.low), high: times(rival.high) })),
  };
}

// The model selected for what is set, if there is one. While a model is looked at, it is that one
// that is chosen; limits need what is known of selected models.
export function selectionFor(matrix) {
  if (state.look !== null || (state.limits.length > 0 && !hasSelected)) return null;
  const index = state.setting ?? data.selections.findIndex((each) => comparable(each) && difference(matrix.flat(), each) <= FAR);
  const found = data.selections[index];
  if (!found) return null;
  return { ...(found.preferences ? found : inUnit(matrix.flat(), found)), index };
}

// The limits that a selected model does not meet on new data, each with its value there.
export function limitsMissed(selection) {
  return state.limits
    .map((limit) => ({ limit, value: valueOnNewData(limit, selection) }))
    .filter(({ limit, value }) => !meets(limit, value));
}

// NaN where nobody has computed it.
function valueOnNewData(limit, { index, confusion }) {
  if (limit.key !== undefined) return front.expected?.[(front.k + index) * front.m + indexOfKey(limit.key)] ?? NaN;
  if (!confusion) return NaN;
  const counted = confusion.slice(limit.y * front.r, (limit.y + 1) * front.r);
  return sumOf(counted.filter((_, c) => counts(limit, c))) / sumOf(counted);
}

export function makeSettings() {
  const list = byId("setting");
  list.append(element("option", "the costs set below", { value: "" }));
  data.selections.forEach((each, i) => {
    if (each.name) list.append(element("option", each.name, { value: i }));
  });
  byId("setting-box").hidden = list.options.length === 1;
  list.addEventListener("change", () => take(list.value === "" ? null : Number(list.value)));
  byId("take-nearest").addEventListener("click", () => {
    take(Number(byId("take-nearest").value));
    byId("download").focus();
  });
}

function take(i) {
  const each = data.selections[i];
  if (!each || each.preferences) change("setting", { setting: i });
  else {
    const matrix = data.classes.map((_, y) => each.cost_matrix.slice(y * front.r, (y + 1) * front.r));
    const costs = each.class_costs ? { classCosts: each.class_costs, loss: each.loss, matrix: null } : { matrix };
    change("setting", { ...costs, priors: each.priors, setting: null });
  }
}

export function showSettings({ matrix, prepared }) {
  byId("setting").value = prepared?.name ? String(prepared.index) : "";
  const flat = matrix.flat();
  const near = data.selections
    .map((each, i) => ({ each, i }))
    .filter(({ each }) => each.name && comparable(each))
    .sort((a, b) => difference(flat, a.each) - difference(flat, b.each))[0];
  byId("nearest").hidden = prepared !== null || near === undefined;
  if (byId("nearest").hidden) return;
  const { value, interval, name } = near.each;
  byId("nearest-text").textContent = `The nearest setting with figures for new data, not yours: ${name}. The model selected `
    + `for it costs ${short(value, 3)} there (95 % interval ${short(interval[0], 3)} to ${short(interval[1], 3)}).`;
  byId("take-nearest").value = near.i;
}
