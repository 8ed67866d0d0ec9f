// How good the choice is: each measure between chance and perfect, and what it says in plain words.

import { data, front } from "./data.js";
import { byId, element } from "./dom.js";
import { isOfClasses } from "./choice.js";
import { measured, short, titles } from "./numbers.js";
import { SURE } from "./noise.js";
import { state } from "./state.js";
import { term } from "./words.js";

// What a value says, beside what chance reaches.
const SENTENCES = {
  accuracy: (value, chance) => `${outOf(100, value)} of 100 samples get exactly their class; the most common class alone gets ${outOf(100, chance)}.`,
  one_minus_mae: (value, chance) => `Predictions are ${short(1 - value, 2)} classes off on average; always the same class is ${short(1 - chance, 2)} off.`,
  vus: (value, chance) => {
    const draws = value >= 0.01 ? 100 : 10 ** Math.min(12, 1 - Math.floor(Math.log10(Math.max(value, 1e-12))));
    const times = value > chance ? `, ${short(value / chance, 2)} times as many as by chance` : ", no more than by chance";
    return `Draw one sample of each class: of ${draws.toLocaleString("en")} such draws, ${outOf(draws, value)} come in the right order${times}.${front.r === 2 ? " With two classes this is the AUC, ties not counted." : ""}`;
  },
  u_cons: (value) => `Cut the classes into low and high: a high sample scores above a low one ${outOf(100, value)} times of 100; by chance 50.`,
  u_ovo: (value) => `Of two samples of different classes, each pair of classes counting the same, ${outOf(100, value)} of 100 pairs come in the right order; by chance 50.`,
  u_pairs: (value) => `Of two samples of different classes, ${outOf(100, value)} of 100 pairs come in the right order; by chance 50.`,
};

const outOf = (all, value) => short(all * Math.max(0, value), 2);

// The value of a measure with the half of its 95 % interval, on new data where that is known: what
// was expected holds for the thresholds of the search, so not for accuracy with others.
function figureOf(side, j) {
  const { i, cuts } = side.candidate;
  if (front.expected && (cuts === null || !isOfClasses(j))) {
    return { value: front.expected[i * front.m + j], reach: SURE * front.expectedSe[i * front.m + j] };
  }
  return { value: side.measures[j], reach: null };
}

export function showGoodness(side) {
  const known = side !== null;
  byId("goodness").replaceChildren(...(known ? state.shown.map((j) => line(side, j)) : []));
  byId("goodness-ends").hidden = !known;
}

function line(side, j) {
  const { key, chance, meaning } = data.objectives[j];
  const { value, reach } = figureOf(side, j);
  const made = element("li");
  const head = element("div", undefined, { class: "what" });
  head.append(
    term(titles[j], meaning),
    element("strong", `${measured(j, value)}${reach === null ? "" : ` ± ${measured(j, reach)}`}`),
    element("span", reach === null ? "in training" : "new data, 95 %", { class: "muted" }),
  );
  const track = element("span", undefined, { class: "way", "aria-hidden": "true" });
  const bar = element("span");
  bar.style.setProperty("--share", Math.max(0, Math.min(1, (value - chance) / (1 - chance))));
  track.append(bar);
  made.append(head, track);
  const sentence = SENTENCES[key];
  if (sentence) made.append(element("p", sentence(value, chance), { class: "muted" }));
  return made;
}
