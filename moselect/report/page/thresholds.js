// Thresholds solved for costs: of all thresholds on the cuts of a model, those that cost least, by
// dynamic programming. Cut c lies above the samples that `below` counts.

import { data, front, masses, nSamples, row } from "./data.js";

export const canSolve = front.scoreCounts !== null;

const { k, r } = front;
const nLevels = canSolve ? front.scoreLevels.length / (k + data.n_selected) : 0;
const nCuts = nLevels + r - 1;

// Positions of the cuts, ascending: levels and the model's own thresholds.
export function cutsOf(i) {
  const cuts = new Float64Array(nCuts);
  for (let c = 0; c < nLevels; c++) {
    cuts[c] = front.scoreLow[i] + front.scoreLevels[i * nLevels + c] * front.scoreStep[i];
  }
  cuts.set(row(front.thresholds, r - 1, i), nLevels);
  return cuts.sort();
}

// Samples of each class between the cuts of a model, lowest scores first.
export function countsOf(i) {
  return row(front.scoreCounts, (nCuts + 1) * r, i);
}

// Samples of each class below each cut, for all models: (k, r, cuts), so that a pass along the
// cuts reads one class after the other.
const below = canSolve ? sumUp() : null;

function sumUp() {
  const sums = new Float64Array(k * r * nCuts);
  for (let i = 0; i < k; i++) {
    for (let y = 0; y < r; y++) {
      let sum = 0;
      for (let c = 0; c < nCuts; c++) {
        sum += front.scoreCounts[(i * (nCuts + 1) + c) * r + y];
        sums[(i * r + y) * nCuts + c] = sum;
      }
    }
  }
  return sums;
}

// The cheapest cuts of some models: their mean costs, and the cuts (models, r - 1). Threshold t at
// cut c changes the total by what it saves: all below c are predicted as class t and not t + 1.
export function solve(costs, models) {
  const mean = new Float64Array(models.length);
  const cuts = new Uint8Array(models.length * (r - 1));
  const least = new Float64Array(nCuts);
  const from = new Uint8Array((r - 1) * nCuts);
  const all = costs.reduce((sum, line, y) => sum + line[r - 1] * masses[y], 0);
  models.forEach((i, position) => {
    least.fill(0);
    for (let t = 0; t < r - 1; t++) {
      for (let y = 0; y < r; y++) {
        const change = costs[y][t] - costs[y][t + 1];
        const start = (i * r + y) * nCuts;
        if (change !== 0) for (let c = 0; c < nCuts; c++) least[c] += change * below[start + c];
      }
      let best = 0;
      for (let c = 0; c < nCuts; c++) {
        if (least[c] < least[best]) best = c;
        else least[c] = least[best];
        from[t * nCuts + c] = best;
      }
    }
    mean[position] = (all + least[nCuts - 1]) / nSamples;
    let c = nCuts - 1;
    for (let t = r - 2; t >= 0; t--) {
      c = from[t * nCuts + c];
      cuts[position * (r - 1) + t] = c;
    }
  });
  return { mean, cuts };
}

// The confusion matrix (r, r) of a model cut at some cuts.
export function confusionAt(i, cuts) {
  const counts = new Int32Array(r * r);
  for (let y = 0; y < r; y++) {
    let before = 0;
    for (let c = 0; c < r; c++) {
      const sum = c === r - 1 ? masses[y] : below[(i * r + y) * nCuts + cuts[c]];
      counts[y * r + c] = sum - before;
      before = sum;
    }
  }
  return counts;
}
