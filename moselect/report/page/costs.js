// What models cost, from their confusion matrices: the very sums of `Front.expected_costs`, in the
// same order, so that the cheapest model is the same one.

const LOSSES = {
  absolute: (distance) => distance,
  squared: (distance) => distance * distance,
  zero_one: (distance) => (distance > 0 ? 1 : 0),
};

// Rows are true classes, columns predicted ones.
export function costMatrix(classCosts, loss) {
  return classCosts.map((cost, y) => classCosts.map((_, k) => cost * LOSSES[loss](Math.abs(y - k))));
}

// Costs of samples of the data that stand for those in use; `priors` are the shares of the classes
// there, or null for those of the data.
export function costsInUse(matrix, priors, shares) {
  if (priors === null) return matrix;
  return matrix.map((costs, y) => costs.map((cost) => cost * (priors[y] / shares[y])));
}

// Mean cost of a sample under each of the models whose confusion matrices follow one another.
export function expectedCosts(confusions, costs) {
  const r = costs.length;
  const cells = r * r;
  const k = confusions.length / cells;
  const n = confusions.subarray(0, cells).reduce((a, b) => a + b, 0);
  const total = new Float64Array(k);
  for (let y = 0; y < r; y++) {
    for (let predicted = 0; predicted < r; predicted++) {
      const cost = costs[y][predicted];
      const cell = y * r + predicted;
      for (let i = 0; i < k; i++) total[i] += cost * confusions[i * cells + cell];
    }
  }
  return total.map((sum) => sum / n);
}

// Mean cost under shares of classes, whatever those of the samples counted: for rivals that were
// measured elsewhere.
export function costUnderShares(confusion, matrix, shares) {
  const r = matrix.length;
  return matrix.reduce((sum, costs, y) => {
    const counts = confusion.slice(y * r, (y + 1) * r);
    const mass = counts.reduce((a, b) => a + b, 0);
    return sum + shares[y] * costs.reduce((all, cost, c) => all + cost * counts[c], 0) / (mass || 1);
  }, 0);
}

export function cheapestClass(matrix, shares) {
  const costs = matrix.map((_, c) => matrix.reduce((sum, line, y) => sum + shares[y] * line[c], 0));
  const cost = Math.min(...costs);
  return { c: costs.indexOf(cost), cost };
}

// Shares of sum 1; what sums to 1 already is left as it is.
export function sharesOf(parts) {
  const sum = parts.reduce((a, b) => a + b, 0);
  return Math.abs(sum - 1) <= 1e-9 ? parts : parts.map((part) => part / sum);
}
