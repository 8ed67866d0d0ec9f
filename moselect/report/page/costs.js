// What models cost, from their confusion matrices: the very sums of `Front.expected_costs`, in the
// same order, so that the cheapest model is the same one.
"use strict";

const LOSSES = {
  absolute: (distance) => distance,
  squared: (distance) => distance * distance,
  zero_one: (distance) => (distance > 0 ? 1 : 0),
};

// Rows are true classes, columns predicted ones.
function costMatrix(classCosts, loss) {
  return classCosts.map((cost, y) => classCosts.map((_, k) => cost * LOSSES[loss](Math.abs(y - k))));
}

function classMasses(confusion, r) {
  return Array.from({ length: r }, (_, y) => row(confusion, r, y).reduce((a, b) => a + b, 0));
}

// Mean cost of an object under each model; `priors` are the shares of the classes in use, or null.
function expectedCosts(confusions, r, matrix, priors) {
  const cells = r * r;
  const k = confusions.length / cells;
  const masses = classMasses(confusions, r);
  const n = masses.reduce((a, b) => a + b, 0);
  const total = new Float64Array(k);
  for (let y = 0; y < r; y++) {
    const worth = priors ? priors[y] / (masses[y] / n) : 1;
    for (let predicted = 0; predicted < r; predicted++) {
      const cost = matrix[y][predicted] * worth;
      const cell = y * r + predicted;
      for (let i = 0; i < k; i++) total[i] += cost * confusions[i * cells + cell];
    }
  }
  return total.map((sum) => sum / n);
}

function firstLeast(values) {
  let best = 0;
  for (let i = 1; i < values.length; i++) if (values[i] < values[best]) best = i;
  return best;
}

// Shares of sum 1; what sums to 1 already is left as it is.
function sharesOf(parts) {
  const sum = parts.reduce((a, b) => a + b, 0);
  return Math.abs(sum - 1) <= 1e-9 ? parts : parts.map((part) => part / sum);
}
