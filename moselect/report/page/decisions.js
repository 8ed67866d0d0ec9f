// What kinds of model decide for costs and limits on rows that they were fitted without: the same
// rules as `moselect.decision`, so that the page and `moselect select` say the same.

const LARGEST_PRICE = 2 ** 24; // of a mistake, in units of the mean cost
const [BISECTIONS, ROUNDS] = [20, 5];

// The answer of least expected cost to each row: a class, or r, which leaves it to a person.
function decide({ proba }, costs) {
  const [answers, decided] = [costs[0].length, new Uint16Array(n)];
  for (let i = 0; i < n; i++) {
    let least = Infinity;
    for (let c = 0; c < answers; c++) {
      let cost = 0;
      for (let y = 0; y < r; y++) cost += proba[i * r + y] * costs[y][c];
      if (cost < least) [least, decided[i]] = [cost, c];
    }
  }
  return decided;
}

// The rows that a limit is about, and which of them are mistakes if they are called c: {truth,
// below} is about class truth or above called lower than below, {truth, above} about truth or below
// called higher than above, {called} about all rows called that class, or those of class truth.
function isAmong({ truth, below, above }, y) {
  if (truth === undefined) return true;
  return below !== undefined ? y >= truth : above !== undefined ? y <= truth : y === truth;
}

function isMistake(limit, y, c) {
  if (c === r || !isAmong(limit, y)) return false;
  const { below, above, called } = limit;
  return below !== undefined ? c < below : above !== undefined ? c > above : c === called;
}

// The share of mistakes among rows that have a class, and its standard error, as if one more had
// been seen.
function shareOf(limit, decided) {
  let [among, mistakes] = [0, 0];
  const ofUnits = new Map();
  for (let i = 0; i < n; i++) {
    if (decided[i] === r || !isAmong(limit, codes[i])) continue;
    const unit = units ? units[i] : i;
    among += weights[i];
    mistakes += isMistake(limit, codes[i], decided[i]) * weights[i];
    ofUnits.set(unit, (ofUnits.get(unit) ?? 0) + weights[i]);
  }
  const share = mistakes / among || 0;
  const size = Math.max(1, among ** 2 / sumOf([...ofUnits.values()].map((mass) => mass ** 2)) || 0); // effective
  const smooth = (share * size + 1) / (size + 2);
  return { share, error: Math.sqrt((smooth * (1 - smooth)) / size) };
}

// Costs with the prices of mistakes raised until all limits hold with a margin of standard errors.
function costsWithin(limits, costs, kind) {
  const unit = sumOf(costs.flat()) / costs.flat().length || 1;
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
  const confusion = countsOf(decided);
  const limits = settings.limits.map((limit) => {
    const { share, error } = shareOf(limit, decided);
    return { share, error, met: share + data.sure * error <= limit.most };
  });
  // as if one more of the dearest mistakes had been seen, at the mean weight of its class, or a group
  const dearest = Math.max(...costs.map((line, y) => Math.max(...line) * masses[y] / Math.max(1, sizes[y])));
  const error = Math.hypot(errorOf(paid), (dearest / total) * (n / nUnits));
  return { kind, settings, costs, solved, decided, paid, cost: meanOf(paid), error, confusion, limits };
}

// The rows of each class (down) that get each answer (across; the last is left to a person).
function countsOf(decided) {
  const counts = data.classes.map(() => new Float64Array(r + 1));
  decided.forEach((c, i) => { counts[codes[i]][c] += weights[i]; });
  return counts;
}

// How much less `outcome` costs than `rival`, as a share of the rival's cost, with its interval.
function savingOver(outcome, rival) {
  const ratio = outcome.cost / rival.cost;
  const error = errorOf(outcome.paid.map((paid, i) => (ratio * rival.paid[i] - paid) / rival.cost));
  return [1 - ratio, 1 - ratio - data.reach * error, 1 - ratio + data.reach * error];
}

// The outcome to hand over by default: the one that costs least, of those that meet their limits, if
// any does.
function defaultKind(outcomes) {
  const all = outcomes.filter(({ kind }) => !kind.rival);
  const within = all.filter(({ limits }) => limits.every(({ met }) => met));
  const kinds = within.length > 0 ? within : all;
  const least = Math.min(...kinds.map(({ cost }) => cost));
  return kinds.find(({ cost }) => cost === least);
}

// Scores between which the cheapest answer changes at most once, or hardly.
function scoresAlong({ slope, cuts, ends, certain, points }) {
  const [low, high] = [cuts[0] - certain, cuts.at(-1) + certain];
  const logits = Array.from({ length: slope > 0 ? points : 0 }, (_, s) => low + ((high - low) * s) / (points - 1));
  return Float64Array.from([...ends, ...logits.map((logit) => logit / slope)]).sort();
}

// The class probabilities at a score.
function probabilitiesAt({ slope, cuts }, score) {
  const below = [0, ...cuts.map((cut) => sigmoid(cut - slope * score)), 1];
  return data.classes.map((_, c) => below[c + 1] - below[c]);
}

// Thresholds of least expected cost along a score between answers in a row, to the last digits.
function thresholdsOf({ score }, costs) {
  const [scores, answers] = [scoresAlong(score), costs[0].map((_, c) => c)];
  const expectedAt = (at) => {
    const proba = probabilitiesAt(score, at);
    return answers.map((c) => sumOf(costs.map((line, y) => proba[y] * line[c])));
  };
  const expected = Array.from(scores, expectedAt);
  const count = scores.length;
  // best[c][s]: least cost of the first s scores if the last of them are called c or lower
  const best = answers.map(() => new Float64Array(count + 1));
  const starts = answers.map(() => new Uint16Array(count + 1));
  for (const c of answers) {
    let own = c === 0 ? 0 : Infinity;
    let start = 0;
    for (let s = 0; s <= count; s++) {
      if (s > 0) own += expected[s - 1][c];
      if (c > 0 && best[c - 1][s] <= own) [own, start] = [best[c - 1][s], s];
      best[c][s] = own;
      starts[c][s] = start;
    }
  }
  const cutAt = [];
  for (let c = answers.length - 1, s = count; c > 0; c--) cutAt.unshift(s = starts[c][s]);
  const [first, last] = [scores[0], scores.at(-1)];
  return cutAt.map((s) => {
    if (s === 0) return 2 * first - last;
    if (s === count) return 2 * last - first;
    // between two scores: where the classes on both sides cost the same
    const [lower, upper] = [cutAt.findIndex((cut) => cut === s), cutAt.findLastIndex((cut) => cut === s) + 1];
    let [left, right] = [scores[s - 1], scores[s]];
    const gain = (at) => expectedAt(at)[lower] - expectedAt(at)[upper];
    if (!(gain(left) < 0 && gain(right) > 0)) return (left + right) / 2;
    for (let step = 0; step < 60; step++) {
      const middle = (left + right) / 2;
      if (gain(middle) < 0) left = middle;
      else right = middle;
    }
    return (left + right) / 2;
  });
}

// The answers along a score with a person among them, as `moselect.models.referral`.
function referralAlong(kind, costs) {
  const turns = Array.from({ length: 2 * r + 1 }, (_, turn) => (turn % 2 ? (turn - 1) / 2 : r));
  const cuts = thresholdsOf(kind, costs.map((line) => turns.map((answer) => line[answer])));
  const seen = [...new Set(Array.from(scoresAlong(kind.score), (score) => cuts.filter((cut) => cut < score).length))];
  return { label: state.label, cuts: seen.slice(1).map((turn) => cuts[turn - 1]), codes: seen.map((turn) => turns[turn]) };
}
