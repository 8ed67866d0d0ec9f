// A pinned model beside the chosen one.

import { data, front, nameOf } from "./data.js";
import { byId, element, heading } from "./dom.js";
import { grouped, measured, short, signed, titles } from "./numbers.js";
import { SURE } from "./noise.js";
import { distinct } from "./state.js";
import { confusionTable, drawStrip, MANY } from "./model.js";
import { showChanges } from "./samples.js";
import { weightBars } from "./weights.js";
import { term } from "./words.js";

export function showComparison(pinned, chosen) {
  byId("comparison").hidden = !pinned || !chosen;
  if (!pinned || !chosen) return;
  const [first, second] = [pinned, chosen].map(({ candidate }) => nameOf(candidate.i));
  byId("compared").textContent = `${first[0].toUpperCase()}${first.slice(1)} (pinned) and ${second} (chosen)`;
  showMeasures(pinned, chosen);
  const parts = [
    ["pinned", confusionTable(pinned.confusion)],
    ["chosen", confusionTable(chosen.confusion)],
    ["chosen − pinned", difference(pinned, chosen)],
  ].map(([name, table]) => {
    const part = element("div", undefined, { class: "scroll", tabindex: 0, role: "region", "aria-label": `Predictions, ${name}` });
    part.append(element("h4", name), table);
    return part;
  });
  byId("compared-confusions").classList.toggle("wide", front.r > MANY);
  byId("compared-confusions").replaceChildren(...parts);
  drawStrip(byId("strip-pinned"), pinned);
  drawStrip(byId("strip-chosen"), chosen);
  byId("compared-weights").replaceChildren(weightBars([pinned.candidate.i, chosen.candidate.i]));
  showChanges(pinned, chosen);
}

function difference(pinned, chosen) {
  const counts = Int32Array.from(chosen.confusion, (count, cell) => count - pinned.confusion[cell]);
  const largest = Math.max(1, ...counts.map(Math.abs));
  return confusionTable(
    counts,
    (count) => signed(grouped(count)),
    (count) => count / largest,
  );
}

function showMeasures(pinned, chosen) {
  const body = element("tbody");
  const add = (name, a, b, change, verdict) => {
    const line = element("tr");
    const head = element("th", undefined, { scope: "row" });
    head.append(name);
    line.append(head, element("td", a), element("td", b), element("td", change));
    if (front.expected) line.append(element("td", verdict));
    body.append(line);
  };
  const apart = chosen.cost - pinned.cost;
  add(element("span", "cost in training"), short(pinned.cost), short(chosen.cost), signed(short(apart, 3)), "");
  for (const j of distinct) {
    const name = term(titles[j], data.objectives[j].meaning);
    if (front.expected) {
      const at = (side) => side.candidate.i * front.m + j;
      const [a, b] = [front.expected[at(pinned)], front.expected[at(chosen)]];
      const [ea, eb] = [front.expectedSe[at(pinned)], front.expectedSe[at(chosen)]];
      const text = (value, error) => `${measured(j, value)} ± ${measured(j, SURE * error)}`;
      const unclear = Math.abs(b - a) <= SURE * Math.hypot(ea, eb);
      add(name, text(a, ea), text(b, eb), signed(measured(j, b - a)), unclear ? "cannot be told apart" : "differ");
    } else {
      const [a, b] = [pinned.measures[j], chosen.measures[j]];
      add(name, measured(j, a), measured(j, b), signed(measured(j, b - a)), "");
    }
  }
  const names = ["measure", "pinned", "chosen", "difference", ...(front.expected ? ["on new data"] : [])];
  byId("compared-measures").replaceChildren(heading(names), body);
  byId("compared-note").textContent = front.expected
    ? "Measures are those expected on new data, with 95 % intervals."
    : "All figures are those of training: whether the two differ on new data is not known here.";
}
