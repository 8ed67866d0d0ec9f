// Limits: conditions that the choice has to meet, each shown as a chip that can be cleared.

import { data, front, indexOfKey } from "./data.js";
import { byId, element, shortNames } from "./dom.js";
import { fromUnits, inUnits, short, titles } from "./numbers.js";
import { change, distinct, state } from "./state.js";

const classNames = shortNames(data.classes);
const OTHERS = { other: "any other class", lower: "a lower class", higher: "a higher class" };

const same = (a, b) => a.key === b.key && a.y === b.y && a.to === b.to;

// Set limits, each in place of an earlier one of the same thing; without ends it is cleared.
export function setLimits(what, given) {
  const kept = state.limits.filter((limit) => !given.some((each) => same(each, limit)));
  const added = given.filter(({ low, high }) => low !== null || high !== null);
  change(what, { limits: [...kept, ...added] });
}

export function clearLimit(key) {
  if (state.limits.some((limit) => limit.key === key)) setLimits("limit", [{ key, low: null, high: null }]);
}

function scaleOf(limit) {
  return limit.key === undefined ? (v) => `${short(100 * v, 3)} %` : (v) => short(inUnits(indexOfKey(limit.key), v), 4);
}

// What a limit is about and how much of it there is: "VUS 0.57", "12 % of severe called mild".
export function valueWords(limit, value) {
  const text = scaleOf(limit)(value);
  return limit.key === undefined ? `${text} ${calledWords(limit)}` : `${titles[indexOfKey(limit.key)]} ${text}`;
}

const calledWords = ({ y, to }) => `of ${classNames[y]} called ${OTHERS[to] ?? classNames[to]}`;

export function limitWords(limit) {
  const scale = scaleOf(limit);
  const range = [
    limit.low === null ? "" : `at least ${scale(limit.low)}`,
    limit.high === null ? "" : `at most ${scale(limit.high)}`,
  ].filter(Boolean).join(" and ");
  if (limit.key !== undefined) return `${titles[indexOfKey(limit.key)]} ${range}`;
  return `${range} ${calledWords(limit)}`;
}

export function makeLimits() {
  const what = byId("limit-what");
  distinct.forEach((j) => what.append(element("option", titles[j], { value: data.objectives[j].key })));
  what.append(element("option", "share of a class …", { value: "" }));
  data.classes.forEach((_, c) => {
    byId("limit-class").append(element("option", classNames[c], { value: c }));
    byId("limit-to").append(element("option", classNames[c], { value: c }));
  });
  for (const [value, words] of Object.entries(OTHERS)) byId("limit-to").append(element("option", words, { value }));
  byId("limit-class").value = front.r - 1;
  byId("limit-to").value = front.r > 2 ? "lower" : "other";
  what.addEventListener("change", showForm);
  byId("limit-form").addEventListener("submit", add);
  showForm();
}

function showForm() {
  const ofClass = byId("limit-what").value === "";
  byId("limit-classes").hidden = !ofClass;
  byId("limit-unit").textContent = ofClass ? "%" : "";
  byId("limit-end").value = ofClass ? "high" : "low";
}

function add(event) {
  event.preventDefault();
  const key = byId("limit-what").value;
  const given = byId("limit-value").valueAsNumber;
  const y = Number(byId("limit-class").value);
  const chosen = byId("limit-to").value;
  const error = Number.isNaN(given) ? "Type the value of the limit." : "";
  byId("limit-error").textContent = error;
  byId("limit-error").hidden = error === "";
  if (error) return;
  const thing = key ? { key } : { y, to: chosen in OTHERS ? chosen : Number(chosen) };
  const value = key ? fromUnits(indexOfKey(key), given) : given / 100;
  const before = state.limits.find((limit) => same(limit, thing)) ?? { low: null, high: null };
  setLimits("limit", [{ ...thing, low: before.low, high: before.high, [byId("limit-end").value]: value }]);
  byId("limit-value").value = "";
}

export function showLimits(found, selection) {
  const chips = state.limits.map((limit, l) => {
    const words = limitWords(limit);
    const chip = element("li");
    chip.append(element("span", words));
    const cost = found.limitCosts[l];
    if (selection) {
      chip.append(element("span", "met on new data", { class: "muted" }));
    } else if (found.best !== null) {
      const dearer = cost > 1e-12 ? `costs +${short(cost, 2)}` : "costs nothing";
      chip.append(element("span", dearer, { class: "muted" }));
    } else if (Number.isFinite(cost)) {
      chip.append(element("span", "cannot be met", { class: "error" }));
    }
    const clear = element("button", "×", { type: "button", "aria-label": `Clear: ${words}` });
    clear.addEventListener("click", () => {
      change("limit", { limits: state.limits.filter((other) => other !== limit) });
      (byId("chips").querySelector("button") ?? byId("limit-what")).focus();
    });
    chip.append(clear);
    return chip;
  });
  byId("chips").replaceChildren(...chips);
  byId("clear").hidden = state.limits.length === 0;
}
