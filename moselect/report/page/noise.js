// How sure figures for new data are: which models cannot be told apart, and axes at that scale.

import { front, objective } from "./data.js";
import { extent } from "./canvas.js";
import { distinct, state } from "./state.js";

export const SURE = 1.96; // standard errors, of a 95 % interval

// Models whose expected objectives all differ from those of one model by less than chance may
// account for: the same rule as in the comparison of two models.
export function alikeTo(i) {
  const alike = new Uint8Array(front.k);
  if (!front.expected) return alike;
  const { m, expected, expectedSe } = front;
  for (let other = 0; other < front.k; other++) {
    alike[other] = distinct.every((j) => {
      const [a, b] = [i * m + j, other * m + j];
      return Math.abs(expected[b] - expected[a]) <= SURE * Math.hypot(expectedSe[a], expectedSe[b]);
    }) ? 1 : 0;
  }
  return alike;
}

const stretched = Array.from({ length: front.m }, (_, j) => (
  extent(Array.from({ length: front.k }, (__, i) => objective(i, j)))
));

// At the scale of noise an axis is at least as long as the 95 % interval of the median model.
const atNoise = front.expected && stretched.map(([low, high], j) => {
  const errors = Array.from({ length: front.k }, (_, i) => front.expectedSe[i * front.m + j])
    .filter(Number.isFinite).sort((a, b) => a - b);
  const reach = Math.max((high - low) / 2, SURE * (errors[Math.floor(errors.length / 2)] ?? 0));
  return [(low + high) / 2 - reach, (low + high) / 2 + reach];
});

// The ends of the axes of all objectives.
export function axisEnds() {
  return state.noise && atNoise ? atNoise : stretched;
}
