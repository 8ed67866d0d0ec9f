// What kinds of model decide for costs and limits on rows that they were fitted without: the same
// rules as `moselect.decision`, so that the page and `moselect select` say the same.

const LARGEST_PRICE = 2 ** 24; // of a mistake, in units of the mean cost
const [BISECTIONS, ROUNDS] = [20, 5];

// The class of least expected cost of each row.
function decide({ proba }, costs) {
  const decided = new Uint16Array(n);
  for (let i = 0; i < n; i++) {
    let least = Infinity;
    for (let c = 0; c < r; c++) {
      let cost = 0;
      for (let y = 0; y < r; y++) cost += proba[i * r + y] * costs[y][c];
      if (cost < least) [least, decided[i]] = [cost, c];
    }
  }
  return decided;
}

// Whether a limit counts a row of class y as a mistake if it is called c: {truth, below} is about
// rows of class truth or above called lower than below, {called} about all rows called that class.
function isMistake({ truth, below, called }, y, c) {
  return called === undefined ? y >= truth && c < below : c === called;
}

// The share of mistakes and its standard error, as if one more had been seen.
function shareOf(limit, decided) {
  let [among, mistakes] = [0, 0];
  const ofUnits = new Map();
  for (let i = 0; i < n; i++) {
    if (limit.called === undefined && codes[i] < limit.truth) continue;
    const unit = units ? units[i] : i;
    among += weights[i];
    mistakes += isMistake(limit, codes[i], decided[i]) * weights[i];
    ofUnits.set(unit, (ofUnits.get(unit) ?? 0) + weights[i]);
  }
  const share = mistakes / among;
  const size = among ** 2 / sumOf([...ofUnits.values()].map((mass) => mass ** 2)); // effective
  const smooth = (share * size + 1) / (size + 2);
  return { share, error: Math.sqrt((smooth * (1 - smooth)) / size) };
}

// Costs with the prices of mistakes raised until all limits hold with a margin of standard errors.
function costsWithin(limits, costs, kind) {
  const unit = sumOf(costs.flat()) / r ** 2 || 1;
  const prices = limits.map(() => 0);
  const priced = (values) => costs.map((line, y) => line.map((cost, c) => (
    cost + sumOf(limits.map((limit, l) => (isMistake(limit, y, c) ? values[l] : 0)))
  )));
  const holds = (l, price) => {
    const { share, error } = shareOf(limits[l], decide(kind, priced(prices.with(l, price))));
    return share + data.sure * error <= limits[l].most;
  };
  for (let round = 0; round < ROUNDS; round++) {
    const before = prices.join();
    limits.forEach((_, l) => {
      if (holds(l, prices[l])) return;
      let [low, high] = [prices[l], unit];
      while (high < LARGEST_PRICE * unit && !holds(l, high)) [low, high] = [high, 2 * high];
      for (let step = 0; step < BISECTIONS; step++) {
        const middle = (low + high) / 2;
        if (holds(l, middle)) high = middle;
        else low = middle;
      }
      prices[l] = high;
    });
    if (prices.join() === before) break;
  }
  return priced(prices);
}

const meanOf = (values) => values.reduce((sum, value, i) => sum + weights[i] * value, 0) / total;

// The standard error of a mean of rows, of which groups are independent.
function errorOf(values) {
  const mean = meanOf(values);
  const influences = new Float64Array(nUnits);
  values.forEach((value, i) => { influences[units ? units[i] : i] += weights[i] * (value - mean); });
  const squares = influences.reduce((sum, value) => sum + value ** 2, 0);
  return Math.sqrt((squares * nUnits) / Math.max(1, nUnits - 1)) / total;
}

// What a kind decides under settings, and what follows on new data.
function outcomeOf(kind, settings) {
  const costs = costsInUse(settings);
  const solved = costsWithin(settings.limits, costs, kind);
  const decided = decide(kind, solved);
  const paid = Float64Array.from(decided, (c, i) => costs[codes[i]][c]);
  const confusion = new Float64Array(r * r);
  decided.forEach((c, i) => { confusion[codes[i] * r + c] += weights[i]; });
  const limits = settings.limits.map((limit) => {
    const { share, error } = shareOf(limit, decided);
    return { share, error, met: share + data.sure * error <= limit.most };
  });
  // as if one more of the dearest mistakes had been seen, at the mean weight of its class, or a group
  const dearest = Math.max(...costs.map((line, y) => Math.max(...line) * masses[y] / Math.max(1, sizes[y])));
  const error = Math.hypot(errorOf(paid), (dearest / total) * (n / nUnits));
  return { kind, solved, paid, cost: meanOf(paid), error, confusion, limits };
}

// How much less `outcome` costs than `rival`, as a share of the rival's cost, with its interval.
function savingOver(outcome, rival) {
  const ratio = outcome.cost / rival.cost;
  const error = errorOf(outcome.paid.map((paid, i) => (ratio * rival.paid[i] - paid) / rival.cost));
  return [1 - ratio, 1 - ratio - data.reach * error, 1 - ratio + data.reach * error];
}

// The kind to hand over by default: the one that costs least, of those that meet their limits, if
// any does.
function defaultKind(outcomes) {
  const all = outcomes.filter(({ kind }) => !kind.rival);
  const within = all.filter(({ limits }) => limits.every(({ met }) => met));
  const kinds = within.length > 0 ? within : all;
  const least = Math.min(...kinds.map(({ cost }) => cost));
  return kinds.find(({ cost }) => cost === least).kind;
}

// Thresholds of least expected cost along a score, to the last digits.
function thresholdsOf({ score: { slope, cuts, ends, certain, points } }, costs) {
  const [low, high] = [cuts[0] - certain, cuts.at(-1) + certain];
  const logits = Array.from({ length: slope > 0 ? points : 0 }, (_, s) => low + ((high - low) * s) / (points - 1));
  const scores = Float64Array.from([...ends, ...logits.map((logit) => logit / slope)]).sort();
  const expectedAt = (score) => {
    const below = [0, ...cuts.map((cut) => 1 / (1 + Math.exp(slope * score - cut))), 1];
    return data.classes.map((_, c) => sumOf(costs.map((line, y) => (below[y + 1] - below[y]) * line[c])));
  };
  const expected = Array.from(scores, expectedAt);
  const count = scores.length;
  // best[c][s]: least cost of the first s scores if the last of them are called c or lower
  const best = data.classes.map(() => new Float64Array(count + 1));
  const starts = data.classes.map(() => new Uint16Array(count + 1));
  data.classes.forEach((_, c) => {
    let own = c === 0 ? 0 : Infinity;
    let start = 0;
    for (let s = 0; s <= count; s++) {
      if (s > 0) own += expected[s - 1][c];
      if (c > 0 && best[c - 1][s] <= own) [own, start] = [best[c - 1][s], s];
      best[c][s] = own;
      starts[c][s] = start;
    }
  });
  const cutAt = [];
  for (let c = r - 1, s = count; c > 0; c--) cutAt.unshift(s = starts[c][s]);
  const [first, last] = [scores[0], scores.at(-1)];
  return cutAt.map((s) => {
    if (s === 0) return 2 * first - last;
    if (s === count) return 2 * last - first;
    // between two scores: where the classes on both sides cost the same
    const [lower, upper] = [cutAt.findIndex((cut) => cut === s), cutAt.findLastIndex((cut) => cut === s) + 1];
    let [left, right] = [scores[s - 1], scores[s]];
    const gain = (score) => expectedAt(score)[lower] - expectedAt(score)[upper];
    if (!(gain(left) < 0 && gain(right) > 0)) return (left + right) / 2;
    for (let step = 0; step < 60; step++) {
      const middle = (left + right) / 2;
      if (gain(middle) < 0) left = middle;
      else right = middle;
    }
    return (left + right) / 2;
  });
}
