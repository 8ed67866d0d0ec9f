// What models cost, from their confusion matrices: the very sums of `Front.training_costs`, in the
// same order, so that the cheapest model is the same one.

const LOSSES = {
  absolute: (distance) => distance,
  squared: (distance) => distance * distance,
  zero_one: (distance) => (distance > 0 ? 1 : 0),
};

// Rows are true classes, columns predicted ones.
function costMatrix(classCosts, loss) {
  return classCosts.map((cost, y) => classCosts.map((_, c) => cost * LOSSES[loss](Math.abs(y - c))));
}

function matrixOf({ matrix, classCosts, loss }) {
  return matrix ?? costMatrix(classCosts, loss);
}

// Shares of sum 1; what sums to 1 already is left as it is.
function sharesOf(parts) {
  const sum = sumOf(parts);
  return Math.abs(sum - 1) <= 1e-9 ? parts : parts.map((part) => part / sum);
}

// Costs of samples of the data that stand for those in use.
function costsInUse(matrix, priors) {
  if (priors === null) return matrix;
  const shares = sharesOf(priors);
  return matrix.map((costs, y) => costs.map((cost) => cost * (shares[y] / sharesOfData[y])));
}

// Mean cost of a sample under each of the models whose confusion matrices follow one another.
function expectedCosts(confusions, costs) {
  const cells = front.r ** 2;
  const total = new Float64Array(confusions.length / cells);
  costs.flat().forEach((cost, cell) => {
    for (let i = 0; i < total.length; i++) total[i] += cost * confusions[i * cells + cell];
  });
  return total.map((sum) => sum / nSamples);
}

// What is wrong with costs and shares that are set, in words.
function problemOf({ matrix, classCosts, priors }) {
  for (const [what, values] of [["Costs", matrix?.flat() ?? classCosts], ["Shares", priors ?? [1]]]) {
    if (!values.every((value) => value >= 0)) return `${what} are numbers from 0 upwards.`;
    if (sumOf(values) === 0) return `${what} must not all be 0.`;
  }
  return "";
}
