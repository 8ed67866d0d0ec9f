// Which model is chosen: the cheapest within the limits. A candidate is a model with thresholds:
// those of the search (`cuts` null), or solved ones.

const EVERYONE = Array.from({ length: front.k }, (_, i) => i);
const PRICES = [0.1, 0.3, 1, 3, 10, 30, 100]; // tried on what limits forbid
const TRIED = 200; // models whose thresholds are solved at those prices

function confusionOf({ i, cuts }) {
  return cuts === null ? row(front.confusions, front.r ** 2, i) : confusionAt(i, cuts);
}

function thresholdsOf({ i, cuts }) {
  if (cuts === null) return Array.from(row(front.thresholds, front.r - 1, i));
  const places = row(front.cuts, nCuts, i);
  return cuts.map((c) => places[c]);
}

// Of the objectives, these two depend on thresholds.
const BY_CONFUSION = {
  accuracy: (confusion) => meanOver(confusion, (y, c) => (y === c ? 1 : 0)),
  one_minus_mae: (confusion) => 1 - meanOver(confusion, (y, c) => Math.abs(y - c)),
};

function meanOver(confusion, weigh) {
  return sumOf(Array.from(confusion, (count, cell) => count * weigh(Math.floor(cell / front.r), cell % front.r))) / nSamples;
}

function measureOf({ i, cuts }, j, confusion) {
  const byConfusion = BY_CONFUSION[data.objectives[j].key];
  return cuts === null || !byConfusion ? objective(i, j) : byConfusion(confusion);
}

// What is expected of a model on new data holds for the thresholds of the search.
function isExpected({ cuts }, j) {
  return front.expected !== null && (cuts === null || !(data.objectives[j].key in BY_CONFUSION));
}

// Whether a prediction of class `limit.y` is one that a limit counts.
function counts({ y, to }, c) {
  if (to === "other") return c !== y;
  return to === "lower" ? c < y : to === "higher" ? c > y : c === to;
}

function shareOf(limit, confusion) {
  const line = Array.from(row(confusion, front.r, limit.y));
  return sumOf(line.filter((_, c) => counts(limit, c))) / sumOf(line);
}

function limitedValue(limit, candidate, confusion) {
  return limit.key === undefined ? shareOf(limit, confusion) : measureOf(candidate, indexOfKey(limit.key), confusion);
}

function meets({ low, high }, value) {
  return (low === null || value >= low) && (high === null || value <= high);
}

const needsConfusion = ({ key }) => key === undefined || key in BY_CONFUSION;

// Costs that make breaking the limits dearer, so that thresholds are found that meet them.
function penalties(limits) {
  return data.classes.map((_, y) => data.classes.map((__, c) => sumOf(limits.map((limit) => {
    const sign = limit.high === null ? -1 : limit.low === null ? 1 : 0;
    if (limit.key === "accuracy") return y === c ? 0 : -sign;
    if (limit.key === "one_minus_mae") return -sign * Math.abs(y - c);
    return limit.y === y && counts(limit, c) ? (sign * nSamples) / masses[y] : 0;
  }))));
}

// All candidates with their costs; the first k are the models in order.
function candidatesFor(limits, costs) {
  const ofModels = front.confusions.subarray(0, front.k * front.r ** 2);
  const searched = Array.from(expectedCosts(ofModels, costs), (cost, i) => ({ i, cuts: null, cost }));
  if (nCuts === 0) return searched;
  const solved = solve(costs, EVERYONE).map((each, i) => (searched[i].cost <= each.cost ? searched[i] : each));
  const decisive = limits.filter(needsConfusion);
  if (decisive.length === 0) return solved;
  const others = limits.filter((limit) => !needsConfusion(limit));
  const tried = [...solved].sort((a, b) => a.cost - b.cost || a.i - b.i).map(({ i }) => i)
    .filter((i) => others.every((limit) => meets(limit, objective(i, indexOfKey(limit.key))))).slice(0, TRIED);
  const forbidden = penalties(decisive);
  const scale = Math.min(...solved.slice(0, TRIED).map(({ cost }) => cost)) || 1;
  const tighter = PRICES.flatMap((price) => solve(
    costs.map((line, y) => line.map((cost, c) => cost + price * scale * forbidden[y][c])), tried,
  ));
  for (const each of tighter) [each.cost] = expectedCosts(confusionOf(each), costs);
  return [...solved, ...tighter];
}

// What follows from the state: costs of the models (within the limits, where a model can meet them),
// the choice, what limits cost, and which models are within them: those whose objectives of the
// search meet the limits, and that some thresholds bring within all of them.
function choose({ limits, look, priors }, matrix) {
  const costs = costsInUse(matrix, priors);
  const candidates = candidatesFor(limits, costs);
  const modelCosts = candidates.slice(0, front.k).map(({ cost }) => cost);
  const least = new Array(front.k).fill(Infinity); // of each model within the limits
  const without = limits.map(() => Infinity); // the least cost if one limit is left out
  const decisive = limits.some(needsConfusion);
  let [best, looked] = [null, null];
  for (const candidate of candidates) {
    const { i, cost } = candidate;
    const confusion = decisive ? confusionOf(candidate) : null;
    const broken = limits.flatMap((limit, l) => (meets(limit, limitedValue(limit, candidate, confusion)) ? [] : [l]));
    candidate.broken = broken.length;
    if (broken.length === 0) {
      least[i] = Math.min(least[i], cost);
      if (best === null || cost < best.cost) best = candidate;
    }
    limits.forEach((_, l) => { if (broken.every((b) => b === l)) without[l] = Math.min(without[l], cost); });
    if (i === look && (looked === null || broken.length < looked.broken
      || (broken.length === looked.broken && cost < looked.cost))) looked = candidate;
  }
  least.forEach((cost, i) => { if (cost < Infinity) modelCosts[i] = cost; });
  const ofObjectives = limits.filter(({ key }) => key !== undefined);
  return {
    matrix,
    costs,
    modelCosts,
    best,
    chosen: looked ?? best,
    limitCosts: without.map((cost) => (best ? best.cost - cost : cost)),
    within: EVERYONE.filter((i) => (least[i] < Infinity || ofObjectives.length === limits.length)
      && ofObjectives.every((limit) => meets(limit, objective(i, indexOfKey(limit.key))))),
  };
}

// The setting for which a model was selected when the page was made, if it is the one that is set.
// While a model is looked at, it is that one that is chosen.
function settingFor({ classCosts, loss, matrix, priors, look }) {
  if (look !== null || matrix !== null || priors !== null) return null;
  const index = data.settings.findIndex((each) => each.loss === loss && each.class_costs.join() === classCosts.join());
  return index < 0 ? null : { ...data.settings[index], i: front.k + index };
}

// The limits that a selected model does not meet on new data, each with its value there.
function limitsMissed({ i, confusion }, limits) {
  const value = (limit) => (limit.key === undefined ? shareOf(limit, Int32Array.from(confusion))
    : front.expected?.[i * front.m + indexOfKey(limit.key)] ?? NaN);
  return limits.map((limit) => ({ limit, value: value(limit) })).filter(({ limit, value }) => !meets(limit, value));
}
