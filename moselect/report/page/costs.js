// Costs of mistakes as they are set, and in use.

const LOSSES = {
  absolute: (distance) => distance,
  squared: (distance) => distance * distance,
  zero_one: (distance) => (distance > 0 ? 1 : 0),
};

// Rows are true classes, columns predicted ones.
function matrixOf({ matrix, classCosts, loss }) {
  return matrix ?? classCosts.map((cost, y) => classCosts.map((_, c) => cost * LOSSES[loss](Math.abs(y - c))));
}

function sharesOf(parts) {
  const sum = sumOf(parts);
  return parts.map((part) => part / sum);
}

// Costs of rows of the data that stand for those in use.
function costsInUse(settings) {
  if (settings.priors === null) return matrixOf(settings);
  const shares = sharesOf(settings.priors);
  return matrixOf(settings).map((costs, y) => costs.map((cost) => cost * (shares[y] / sharesOfData[y])));
}

// What is wrong with costs and shares that are set, in words.
function problemOf({ matrix, classCosts, priors }) {
  for (const [what, values] of [["Costs", matrix?.flat() ?? classCosts], ["Shares", priors ?? [1]]]) {
    if (!values.every((value) => value >= 0)) return `${what} are numbers from 0 upwards.`;
    if (sumOf(values) === 0) return `${what} must not all be 0.`;
  }
  return "";
}
