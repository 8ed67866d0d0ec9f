// Which model is chosen: the cheapest within the limits. A candidate is a model with thresholds:
// those of the search (`cuts` null), or solved ones.

import { data, front, indexOfKey, masses, nSamples, objective, row, sharesOfData } from "./data.js";
import { costMatrix, costsInUse, expectedCosts } from "./costs.js";
import { canSolve, confusionAt, cutsOf, solve } from "./thresholds.js";

const { k, r } = front;
const EVERYONE = Array.from({ length: k }, (_, i) => i);
const TIGHTER = [0.1, 0.3, 1, 3, 10, 30, 100]; // prices tried on what limits forbid
const TRIED = 200; // models whose thresholds are solved at those prices

export function matrixOf(state) {
  return state.matrix ?? costMatrix(state.classCosts, state.loss);
}

export function confusionOf({ i, cuts }) {
  return cuts === null ? row(front.confusions, r * r, i) : confusionAt(i, cuts);
}

export function thresholdsOf({ i, cuts }) {
  if (cuts === null) return Array.from(row(front.thresholds, r - 1, i));
  const places = cutsOf(i);
  return Array.from(cuts, (c) => places[c]);
}

// Of the objectives, these two depend on thresholds.
const BY_CONFUSION = {
  accuracy: (confusion) => sumOver(confusion, (y, c) => (y === c ? 1 : 0)) / nSamples,
  one_minus_mae: (confusion) => 1 - sumOver(confusion, (y, c) => Math.abs(y - c)) / nSamples,
};

function sumOver(confusion, weigh) {
  let sum = 0;
  for (let y = 0; y < r; y++) for (let c = 0; c < r; c++) sum += weigh(y, c) * confusion[y * r + c];
  return sum;
}

export const isOfClasses = (j) => data.objectives[j].key in BY_CONFUSION;

export function measureOf(candidate, j, confusion) {
  const measure = BY_CONFUSION[data.objectives[j].key];
  return candidate.cuts === null || !measure
    ? objective(candidate.i, j)
    : measure(confusion ?? confusionOf(candidate));
}

// Which predictions of class `limit.y` a limit counts.
export function counts(limit, c) {
  if (limit.to === "other") return c !== limit.y;
  if (limit.to === "lower") return c < limit.y;
  if (limit.to === "higher") return c > limit.y;
  return c === limit.to;
}

export function limitedValue(limit, candidate, confusion) {
  if (limit.key !== undefined) return measureOf(candidate, indexOfKey(limit.key), confusion);
  const matrix = confusion ?? confusionOf(candidate);
  let sum = 0;
  for (let c = 0; c < r; c++) if (counts(limit, c)) sum += matrix[limit.y * r + c];
  return sum / masses[limit.y];
}

export function meets(limit, value) {
  return (limit.low === null || value >= limit.low) && (limit.high === null || value <= limit.high);
}

function needsConfusion(limit) {
  return limit.key === undefined || limit.key in BY_CONFUSION;
}

// Costs that make breaking the limits dearer, so that thresholds are found that meet them.
function penalties(limits) {
  return Array.from({ length: r }, (_, y) => Array.from({ length: r }, (_, c) => {
    let price = 0;
    for (const limit of limits) {
      const sign = limit.high === null ? -1 : limit.low === null ? 1 : 0;
      if (limit.key === "accuracy") price -= sign * (y === c ? 0 : 1);
      else if (limit.key === "one_minus_mae") price -= sign * Math.abs(y - c);
      else if (limit.y === y && counts(limit, c)) price += (sign * nSamples) / masses[y];
    }
    return price;
  }));
}

function candidatesFor(models, cost, cuts) {
  return { models, cost, cutsAt: (position) => cuts && cuts.subarray(position * (r - 1), (position + 1) * (r - 1)) };
}

// All candidates, in groups of one for each of some models.
function findGroups(state, costs) {
  const own = () => candidatesFor(EVERYONE, expectedCosts(front.confusions, costs), null);
  if (!canSolve || !state.solve) return [own()];
  const solved = solve(costs, EVERYONE);
  const groups = [candidatesFor(EVERYONE, solved.mean, solved.cuts)];
  const decisive = state.limits.filter(needsConfusion);
  if (decisive.length === 0) return groups;
  groups.push(own());
  const others = state.limits.filter((limit) => !needsConfusion(limit));
  const tried = EVERYONE
    .filter((i) => others.every((limit) => meets(limit, objective(i, indexOfKey(limit.key)))))
    .sort((a, b) => solved.mean[a] - solved.mean[b] || a - b)
    .slice(0, TRIED);
  const forbidden = penalties(decisive);
  const scale = solved.mean.reduce((a, b) => Math.min(a, b), Infinity) || 1;
  for (const price of TIGHTER) {
    const dearer = costs.map((line, y) => line.map((cost, c) => cost + price * scale * forbidden[y][c]));
    const { cuts } = solve(dearer, tried);
    const confusions = new Int32Array(tried.length * r * r);
    tried.forEach((i, position) => confusions.set(
      confusionAt(i, cuts.subarray(position * (r - 1), (position + 1) * (r - 1))), position * r * r,
    ));
    if (tried.length > 0) groups.push(candidatesFor(tried, expectedCosts(confusions, costs), cuts));
  }
  return groups;
}

// Everything that follows from the state: costs of the models (within the limits, where a model can
// meet them), the choice, what limits cost, and which models are within them: those whose
// objectives of the search meet the limits, and that some thresholds bring within all of them.
export function choose(state) {
  const matrix = matrixOf(state);
  const costs = costsInUse(matrix, state.priors, sharesOfData);
  const groups = findGroups(state, costs);
  const { limits } = state;
  const decisive = limits.some(needsConfusion);
  const modelCosts = Float64Array.from(groups[0].cost);
  const least = new Float64Array(k).fill(Infinity); // of each model within the limits
  const without = limits.map(() => Infinity); // the least cost if one limit is left out
  const best = { candidate: null, cost: Infinity };
  const looked = { candidate: null, cost: Infinity, broken: Infinity };
  for (const { models, cost, cutsAt } of groups) {
    models.forEach((i, position) => {
      const total = cost[position];
      const candidate = { i, cuts: cutsAt(position) };
      const confusion = decisive ? confusionOf(candidate) : undefined;
      const broken = limits.flatMap((limit, l) => (
        meets(limit, limitedValue(limit, candidate, confusion)) ? [] : [l]
      ));
      if (broken.length === 0) {
        least[i] = Math.min(least[i], total);
        if (total < best.cost) Object.assign(best, { candidate, cost: total });
      }
      limits.forEach((_, l) => {
        if (broken.every((b) => b === l)) without[l] = Math.min(without[l], total);
      });
      const nearer = broken.length < looked.broken || (broken.length === looked.broken && total < looked.cost);
      if (i === state.look && nearer) Object.assign(looked, { candidate, cost: total, broken: broken.length });
    });
  }
  least.forEach((cost, i) => { if (cost < Infinity) modelCosts[i] = cost; });
  const ofObjectives = limits.filter((limit) => limit.key !== undefined);
  return {
    matrix,
    costs,
    modelCosts,
    best: best.candidate && best,
    chosen: looked.candidate ? looked : best.candidate && best,
    limitCosts: limits.map((_, l) => (best.candidate ? best.cost - without[l] : without[l])),
    within: EVERYONE.filter((i) => (least[i] < Infinity || ofObjectives.length === limits.length)
      && ofObjectives.every((limit) => meets(limit, objective(i, indexOfKey(limit.key))))),
  };
}
