// Out-of-fold decisions of the candidates for costs and limits: the same algorithms as
// `moselect.selection`, so that the page and `moselect select` agree.

const DOUBLINGS = 24; // of the price of a mistake, from the mean cost on
const [BISECTIONS, ROUNDS] = [20, 5];

// Smallest value of an interval from which on a condition holds, by bisection.
function leastBetween(low, high, halvings, holds) {
  for (let step = 0; step < halvings; step++) {
    const middle = (low + high) / 2;
    [low, high] = holds(middle) ? [low, middle] : [middle, high];
  }
  return high;
}

// Decision of least expected cost for each row: a class, or r for the reject option.
function decide({ proba }, costs) {
  const [answers, decided] = [costs[0].length, new Uint16Array(proba.length / r)];
  for (let i = 0; i < decided.length; i++) {
    let least = Infinity;
    for (let c = 0; c < answers; c++) {
      let cost = 0;
      for (let y = 0; y < r; y++) cost += proba[i * r + y] * costs[y][c];
      if (cost < least) [least, decided[i]] = [cost, c];
    }
  }
  return decided;
}

// Sums of values over the rows in each place, such as a class or unit.
function sumsBy(places, count, values) {
  const sums = Array(count).fill(0);
  values.forEach((value, i) => { sums[places[i]] += value; });
  return sums;
}

// Deviations of values from their mean: where class shares are known, jackknife deviations from that of their class, as
// `moselect.inference.standard_errors.class_deviations`.
function deviationsOf(values, mean, ratios) {
  if (ratios.every((ratio) => ratio === 1)) return values.map((value) => value - mean);
  const sums = sumsBy(codes, r, values.map((value, i) => weights[i] * value));
  return values.map((value, i) => (value - (sums[codes[i]] / masses[codes[i]] || 0)) / Math.max(1 - classShares[i], 1e-9));
}

// Error rate among all rows of some classes, in use, and its standard error, as
// `moselect.costs.limits`, for the mistake of that name or by a rule; a limit is met with a margin of standard errors. Referred rows count in
// the denominator, and not as errors.
function shareOf({ name, most, ...rule }, decided, ratios) {
  const { isAmong, isWrong } = MISTAKES.get(name) ?? rule;
  const factors = ratios.map((ratio, y) => (isAmong(y) ? ratio : 0));
  const wrong = Float64Array.from(decided, (c) => (isWrong(c) ? 1 : 0));
  const among = sumOf(masses.map((mass, y) => mass * factors[y]));
  if (among === 0) return { name, most, share: 0, error: 0, sure: 0, met: true }; // classes that do not occur in use
  const share = sumOf(wrong.map((value, i) => weights[i] * factors[codes[i]] * value)) / among;
  const deviations = deviationsOf(wrong, share, ratios);
  const residuals = sumsBy(units, nUnits, deviations.map((value, i) => weights[i] * factors[codes[i]] * value));
  const size = Math.max(1, among / Math.max(...typical.map((weight, y) => weight * factors[y]))); // in rows
  const smooth = (at) => ((at * size + 1) * (size + 1 - at * size)) / (size + 2) ** 2;
  const unseen = smooth(share) - share * (1 - share);
  const least = data.sure * Math.sqrt(smooth(0) / size); // limit that so many rows can show
  const error = Math.sqrt(data.sandwich * sumOfSquares(residuals) / among ** 2 + unseen / size);
  const sure = share + data.sure * error;
  return { name, most, share, error, size, least, sure, met: sure <= most };
}

// Error rate of the deployed model: if only limited decisions meet the limit, their threshold was placed next to
// one of the rows, which counts as one further error (conformal risk control).
function deployedShareOf(limit, decided, unlimited, ratios) {
  const reached = shareOf(limit, decided, ratios);
  if (!reached.met || shareOf(limit, unlimited, ratios).met) return reached;
  return { ...reached, share: (reached.share * reached.size + 1) / (reached.size + 1) };
}

const meanCell = (costs) => sumOf(costs.flat()) / costs.flat().length || 1;

// Costs plus the prices of limited errors.
function pricedCosts(costs, limits, prices, ratios) {
  const mistakes = limits.map(({ name }) => MISTAKES.get(name));
  const priceOf = (y, c) => sumOf(mistakes.map(({ isAmong, isWrong }, l) => (isAmong(y) && isWrong(c) ? prices[l] : 0)));
  return costs.map((line, y) => line.map((cost, c) => cost + priceOf(y, c) * ratios[y]));
}

// Least price at which a limit holds, undefined if at none.
function leastPrice(start, unit, holds) {
  if (holds(start)) return start;
  const high = upTo(DOUBLINGS + 1).map((doubling) => unit * 2 ** doubling).find(holds);
  return high && leastBetween(high === unit ? start : high / 2, high, BISECTIONS, holds);
}

// Costs with the prices of mistakes raised until all limits hold; of a limit that no price meets, until the rate
// itself is below it.
function costsWithin(limits, costs, candidate, ratios) {
  const unit = meanCell(costs);
  const prices = limits.map(() => 0);
  for (let round = 0; round < ROUNDS; round++) {
    const before = prices.join();
    limits.forEach((limit, l) => {
      const reached = (price) => shareOf(limit, decide(candidate, pricedCosts(costs, limits, prices.with(l, price), ratios)), ratios);
      const least = (holds) => leastPrice(prices[l], unit, (price) => holds(reached(price)));
      prices[l] = least(({ met }) => met) ?? least(({ share }) => share <= limit.most) ?? prices[l];
    });
    if (prices.join() === before) break;
  }
  return pricedCosts(costs, limits, prices, ratios);
}

const sumOfSquares = (values) => values.reduce((sum, value) => sum + value ** 2, 0);
const meanOf = (values) => values.reduce((sum, value, i) => sum + weights[i] * value, 0) / total;

// Clustered standard error of a mean over rows.
function errorOf(values, ratios) {
  const deviations = deviationsOf(values, meanOf(values), ratios);
  const mean = meanOf(deviations);
  const influences = sumsBy(units, nUnits, deviations.map((value, i) => weights[i] * (value - mean)));
  return Math.sqrt((sumOfSquares(influences) * nUnits) / Math.max(1, nUnits - 1)) / total;
}

// Greatest change of a mean by one row, given that in each class; an average over the classes if their shares are given.
function ofOneRow(changes, ratios) {
  if (ratios.every((ratio) => ratio === 1)) return Math.max(...changes) / total;
  const inUse = masses.map((mass, y) => mass * ratios[y]);
  return sumOf(changes.map((change, y) => change * inUse[y])) / sumOf(inUse) / total;
}

// Change of a difference by one further row on which two outcomes differ, by a pair of answers that they have.
function maxDifference({ costs, decided, ratios }, other) {
  const n = r + 1; // answers, with a referral
  const found = new Set(Array.from(decided, (c, i) => n * c + other.decided[i]));
  const differ = [...found].map((pair) => [Math.floor(pair / n), pair % n]).filter(([a, b]) => a !== b);
  const pairs = differ.length ? differ : upTo(r - 1).map((c) => [c, c + 1]);
  const changes = costs.map((line, y) => pairs.reduce((most, [a, b]) => Math.max(most, Math.abs(line[a] - line[b])), 0) * typical[y]);
  return ofOneRow(changes, ratios);
}

const paidFor = (decided, costs) => Float64Array.from(decided, (c, i) => costs[codes[i]][c] ?? 0);

// Cross-validated outcome of a candidate under settings.
function outcomeOf(candidate, settings) {
  const [costs, ratios] = [costsInUse(settings), ratiosOf(settings)];
  const solved = costsWithin(settings.limits, costs, candidate, ratios);
  const isReported = candidate.name === data.result.selected && isInitial(settings);
  const decided = isReported ? data.result.decided : decide(candidate, solved);
  const paid = paidFor(decided, costs);
  const unlimited = settings.limits.length ? decide(candidate, costs) : decided;
  const limits = settings.limits.map((limit) => deployedShareOf(limit, decided, unlimited, ratios));
  // as if one more of the maxCost mistakes had been seen, on a row of the typical weight of its class
  const mistakes = costs.map((line, y) => Math.max(...line) * typical[y]);
  const maxCost = decided.every((c) => c === r) ? 0 : ofOneRow(mistakes, ratios);
  const error = Math.hypot(data.widening * errorOf(paid, ratios), maxCost);
  return { candidate, costs, ratios, solved, decided, paid, cost: meanOf(paid), error, confusion: countsOf(decided), limits, isReported };
}

// Value of an objective for the decisions without referral, or for the scores, and its error: at least the
// error at the initial costs, which allows for overlapping training folds.
function measureOf({ candidate, solved, decided }, { key, costs }) {
  if (!costs) return candidate.measures[key];
  const classes = solved[0].length > r ? decide(candidate, solved.map((line) => line.slice(0, r))) : decided;
  const losses = Float64Array.from(classes, (c, i) => costs[codes[i] * r + c]);
  return [1 - meanOf(losses), Math.max(data.widening * errorOf(losses, masses.map(() => 1)), candidate.measures[key]?.[1] ?? 0)];
}

// Confusion matrix: true classes down, predictions across, the reject option last.
const countsOf = (decided) => upTo(r).map((y) => sumsBy(decided, r + 1, weights.map((weight, i) => (codes[i] === y ? weight : 0))));

// The share that `outcome` saves of the cost of `baseline`, and its interval.
function savingOf(outcome, baseline) {
  const ratio = outcome.cost / baseline.cost;
  const error = errorOf(outcome.paid.map((paid, i) => (ratio * baseline.paid[i] - paid) / baseline.cost), baseline.ratios);
  const reach = data.reach * Math.hypot(error, maxDifference(outcome, baseline) / baseline.cost);
  return [1 - ratio, 1 - ratio - reach, Math.min(1, 1 - ratio + reach)];
}

const cheapestOf = (outcomes) => outcomes.reduce((a, b) => (b.cost < a.cost ? b : a));

// The outcome of least cost among those that meet all limits, if any does.
function defaultKind(outcomes) {
  const own = outcomes.filter(({ candidate }) => !candidate.baseline);
  const within = own.filter(({ limits }) => limits.every(({ met }) => met));
  return cheapestOf(within.length > 0 ? within : own);
}

// Scores between which the cheapest answer changes at most once, or hardly.
function scoresAlong({ slope, cuts, ends, certain, points }) {
  const toLogit = scaled([0, points - 1], [cuts[0] - certain, cuts.at(-1) + certain]);
  const logits = slope > 0 ? upTo(points).map(toLogit) : [];
  return Float64Array.from([...ends, ...logits.map((logit) => logit / slope)]).sort();
}

// The class probabilities at a score.
function probabilitiesAt({ slope, cuts }, score) {
  const below = [0, ...cuts.map((cut) => sigmoid(cut - slope * score)), 1];
  return upTo(r).map((c) => below[c + 1] - below[c]);
}

// The classes of least total cost that ascend from one line of costs to the next.
function ascending(lines) {
  let best = lines[0].map(() => 0); // of the lines so far, of which the last is called c or lower
  const called = lines.map((line) => {
    const [own, calls] = [best.map((cost, c) => cost + line[c]), [0]];
    for (let c = 1; c < own.length; c++) calls.push(own[c] < own[calls[c - 1]] ? c : calls[c - 1]);
    best = calls.map((c) => own[c]);
    return calls;
  });
  let c = best.length - 1;
  return called.reverse().map((calls) => (c = calls[c])).reverse();
}

const expectedCosts = (proba, costs) => costs[0].map((_, c) => sumOf(costs.map((line, y) => proba[y] * line[c])));

// The answers of least expected cost along a score, and the thresholds between them, as in
// `moselect.predictor.decisions`: with a referral, a class costs what a referral costs where that is less.
function answersAlong({ score }, costs) {
  const scores = scoresAlong(score);
  const expected = Array.from(scores, (at) => expectedCosts(probabilitiesAt(score, at), costs));
  const person = expected.map((line) => line[r] ?? Infinity);
  const classes = ascending(expected.map((line, s) => line.slice(0, r).map((cost) => Math.min(cost, person[s]))));
  const answers = classes.map((c, s) => (expected[s][c] > person[s] ? r : c));
  const turns = upTo(answers.length).filter((s) => s > 0 && answers[s] !== answers[s - 1]);
  const cuts = turns.map((s) => {
    const [left, right, lower, upper] = [scores[s - 1], scores[s], answers[s - 1], answers[s]];
    const gain = (at) => sumOf(probabilitiesAt(score, at).map((share, y) => share * (costs[y][lower] - costs[y][upper])));
    const turnsOnce = gain(left) < 0 && gain(right) > 0;
    return turnsOnce ? leastBetween(left, right, 60, (at) => gain(at) >= 0) : (left + right) / 2;
  });
  return { cuts, codes: [0, ...turns].map((s) => answers[s]) };
}

// Thresholds between all classes; those of classes that are never cheapest lie outside of all scores.
function thresholdsOf(candidate, costs) {
  const { cuts, codes: calls } = answersAlong(candidate, costs.map((line) => line.slice(0, r)));
  const [first, last] = [0, -1].map((end) => scoresAlong(candidate.score).at(end));
  return upTo(r - 1).map((k) => [2 * first - last, ...cuts][calls.findIndex((c) => c > k)] ?? 2 * last - first);
}
