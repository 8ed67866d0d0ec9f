// Costs of mistakes as they are set, and in use.

const LOSSES = { absolute: (distance) => distance, squared: (distance) => distance ** 2, zero_one: Math.sign };

// Rows are true classes, columns predicted ones.
const matrixOf = ({ matrix, classCosts, loss }) => matrix ?? classCosts.map((cost, y) => classCosts.map((_, c) => cost * LOSSES[loss](Math.abs(y - c))));

// Whether errors on the lowest class cost more than those on the highest.
function isLowestCostlier(settings) {
  const [lowest, highest] = [0, -1].map((y) => Math.max(...matrixOf(settings).at(y)));
  return lowest > highest;
}

const sharesOf = (parts) => parts.map((part) => part / sumOf(parts));

// How much commoner each class is in use than in the data.
const ratiosOf = ({ priors }) => (priors === null ? masses.map(() => 1) : sharesOf(priors).map((share, y) => share / sharesOfData[y]));

// Costs weighted to the class shares in use; the last column is the cost of a referral.
function costsInUse(settings) {
  const { refer } = settings;
  const ratios = ratiosOf(settings);
  const matrix = matrixOf(settings).map((line, y) => (refer === null ? line : [...line, refer[y]]));
  return matrix.map((costs, y) => costs.map((cost) => cost * ratios[y]));
}

// Validate costs and shares; returns a message.
function problemOf({ matrix, classCosts, priors, refer }) {
  for (const [what, values] of [["Costs", matrix?.flat() ?? classCosts], ["Shares", priors ?? [1]], ["Costs of a referral", refer ?? [1]]]) {
    if (!values.every((value) => value >= 0)) return `${what} are numbers from 0 upwards.`;
    if (values !== refer && sumOf(values) === 0) return `${what} must not all be 0.`;
  }
  return "";
}

// Costs as in `moselect select --class-costs`, of a line of numbers; null if it is none.
function readCosts(text) {
  const costs = text.split(/[,;\s]+/).filter(Boolean).map(Number);
  return costs.length === r && costs.every((cost) => cost >= 0) && sumOf(costs) > 0 ? costs : null;
}
