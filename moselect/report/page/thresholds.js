// Thresholds solved for costs: of all thresholds on the cuts of a model, those that cost least, by
// dynamic programming.

const nCuts = front.cuts === null ? 0 : front.cuts.length / (front.k + data.settings.length);

// Samples of each class between the cuts of a model, lowest scores first.
function countsOf(i) {
  return row(front.counts, (nCuts + 1) * front.r, i);
}

// Samples of each class below each cut, for all models: (k, r, cuts), so that a pass along the
// cuts reads one class after the other.
const below = new Float64Array(nCuts * front.r * front.k);
for (let i = 0; i < front.k && nCuts > 0; i++) {
  const counts = countsOf(i);
  for (let y = 0; y < front.r; y++) {
    let sum = 0;
    for (let c = 0; c < nCuts; c++) {
      sum += counts[c * front.r + y];
      below[(i * front.r + y) * nCuts + c] = sum;
    }
  }
}

// The cheapest cuts of some models: their mean costs, and the positions of the cuts. Threshold t at
// cut c changes the total by what it saves: all below c are predicted as class t and not t + 1.
function solve(costs, models) {
  const { r } = front;
  const least = new Float64Array(nCuts);
  const from = new Uint8Array((r - 1) * nCuts);
  const all = sumOf(costs.map((line, y) => line[r - 1] * masses[y]));
  return models.map((i) => {
    least.fill(0);
    for (let t = 0; t < r - 1; t++) {
      for (let y = 0; y < r; y++) {
        const change = costs[y][t] - costs[y][t + 1];
        const start = (i * r + y) * nCuts;
        if (change !== 0) for (let c = 0; c < nCuts; c++) least[c] += change * below[start + c];
      }
      let best = 0;
      for (let c = 0; c < nCuts; c++) {
        if (least[c] < least[best]) best = c;
        else least[c] = least[best];
        from[t * nCuts + c] = best;
      }
    }
    const cuts = new Array(r - 1);
    for (let t = r - 2, c = nCuts - 1; t >= 0; t--) {
      c = from[t * nCuts + c];
      cuts[t] = c;
    }
    return { i, cuts, cost: (all + least[nCuts - 1]) / nSamples };
  });
}

// The confusion matrix (r, r) of a model cut at some cuts.
function confusionAt(i, cuts) {
  const counts = new Int32Array(front.r ** 2);
  for (let y = 0; y < front.r; y++) {
    let before = 0;
    for (let c = 0; c < front.r; c++) {
      const sum = c === front.r - 1 ? masses[y] : below[(i * front.r + y) * nCuts + cuts[c]];
      counts[y * front.r + c] = sum - before;
      before = sum;
    }
  }
  return counts;
}
