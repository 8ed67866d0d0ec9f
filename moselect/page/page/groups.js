// Results of the selected model by group of rows, as `moselect.selection.groups`.

const groupings = await Promise.all(data.by.map(async (each) => ({ ...each, members: await unpack(each.members) })));

// Weighted mean of values over some rows, and its standard error: at least one further mistake of the greatest value. With
// the means of all rows, four rows like these are added to the variance of a group, as in `moselect.selection.group_errors`.
function meanAmong(ratios, factor, isAmong, value, most = () => 1, span = 1, common = null) {
  const among = upTo(n).filter((i) => ratios[codes[i]] > 0 && isAmong(i));
  const shares = among.map((i) => weights[i] * ratios[codes[i]]);
  const all = sumOf(shares);
  const mean = sumOf(among.map((i, k) => shares[k] * value(i))) / all;
  const unitsAmong = among.map((i) => units[i]);
  const influences = sumsBy(unitsAmong, nUnits, among.map((i, k) => (shares[k] * (value(i) - mean)) / all));
  const oneMore = among.reduce((greatest, i, k) => Math.max(greatest, (shares[k] * most(i)) / all), 0);
  const square = sumOf(among.map((i, k) => shares[k] * value(i) ** 2)) / all;
  let variance = factor * sumOfSquares(influences);
  if (common) {
    const size = 1 / sumOfSquares(sumsBy(unitsAmong, nUnits, shares.map((share) => share / all)));
    const added = 4 / (size + 4);
    const [m, s] = [mean + added * (common.mean - mean), square + added * (common.square - square)];
    variance += (s - m ** 2 - (square - mean ** 2)) / size;
  }
  return { mean, square, error: Math.min(Math.sqrt(Math.max(variance, oneMore ** 2)), span / 2), rows: among.length };
}

const FEWEST_CASES = 10;

// A mean with its 95 % interval, between two ends.
function shownMean({ mean, error, rows }, words, [least, most]) {
  if (rows < FEWEST_CASES) return rows ? "too few" : "none";
  const interval = [-1, 1].map((side) => words(clamp(mean + side * normalReach * error, least, most)));
  return `${words(mean)} (${interval.join(" to ")})`;
}

function showGroups({ decided, paid, costs, ratios }) {
  byId("groups").replaceChildren(...groupings.flatMap(({ name, names, members, factors }) => {
    const measure = (isAmong, value, most, span) => {
      const common = meanAmong(ratios, 1, isAmong, value, most, span);
      return names.map((_, g) => meanAmong(ratios, factors[g], (i) => members[i] === g && isAmong(i), value, most, span, common));
    };
    const plain = (i, cost) => cost / ratios[codes[i]]; // costs in use hold the ratios already
    const mostOf = (i) => plain(i, Math.max(...costs[codes[i]]));
    const cost = measure(() => true, (i) => plain(i, paid[i]), mostOf, Math.max(...upTo(n).map(mostOf)));
    const error = measure((i) => decided[i] < r, (i) => decided[i] - codes[i], () => 1, 2 * (r - 1));
    const costliestFirst = upTo(names.length).sort((a, b) => cost[b].mean - cost[a].mean);
    const [high, low] = [costliestFirst[0], costliestFirst.at(-1)];
    const lines = (cells) => costliestFirst.map((g) => [named(names[g]), ...cells(g)]);
    const rates = upTo(r).slice(1).flatMap((k) => {
      const missed = measure((i) => codes[i] >= k, (i) => Number(decided[i] < k));
      const alarms = measure((i) => codes[i] < k, (i) => Number(decided[i] >= k && decided[i] < r));
      const cell = (rate) => shownMean(rate, percent, [0, 1]);
      return fill(element("table"), [`${classNames[k]}${k < r - 1 ? " or above" : ""}`, "miss rate, %", "false alarm rate, %"], lines((g) => [cell(missed[g]), cell(alarms[g])]));
    });
    return [
      fill(element("table"), [named(name), "rows", "cost", "mean error"], lines((g) => [
        grouped(cost[g].rows), shownMean(cost[g], money, [0, Infinity]),
        shownMean(error[g], (value) => withMinus(value.toFixed(2)), [1 - r, r - 1]),
      ])),
      element("p", `Largest difference in cost: ${money(cost[high].mean - cost[low].mean)}, between ${names[low]} and ${names[high]}.`, { class: "muted" }),
      element("details", [element("summary", `Miss and false alarm rates by ${name}`), element("div", rates, { class: "model" })]),
    ];
  }));
}
