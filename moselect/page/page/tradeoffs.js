// Cost of a limit, and miss rate against false alarm rate at a boundary, one curve per candidate. A
// limit is set by its slider, or by dragging in the plots.

const PANEL = 250;
const knownCurves = {};
const known = (key, work) => (knownCurves[key] ??= work());

// Least cost of a candidate under each limit: a decision meets limits up to that of the next cheaper one.
function priceCurve(candidate, name) {
  const others = { ...settingsNow(), limits: withoutLimit(name), candidate: null };
  return known(JSON.stringify([candidate.name, name, others]), () => {
    const { solved, costs, ratios } = outcomeOf(candidate, others);
    const points = data.prices.map((price) => {
      const decided = decide(candidate, pricedCosts(solved, [{ name }], [price * meanCell(costs)], ratios));
      return [shareOf({ name }, decided, ratios).sure, meanOf(paidFor(decided, costs))];
    });
    let least = Infinity;
    return points.sort(([a], [b]) => a - b).flatMap(([share, cost]) => {
      const before = least;
      least = Math.min(least, cost);
      return before < Infinity ? [[share, before], [share, least]] : [[share, least]];
    });
  });
}

// False alarm and miss rates in use at a boundary, for all thresholds, of the rows that are not
// referred. Misses are predicted too low, or too high if the lower classes are to be found.
function missedCurve(candidate, boundary, isLow, { ratios, decided }) {
  return known(`${candidate.name} ${boundary} ${isLow} ${ratios} ${state.refer && decided}`, () => {
    const above = Array.from(codes, (_, i) => sumOf(candidate.proba.subarray(i * r + boundary, (i + 1) * r)));
    const order = upTo(n).filter((i) => decided[i] < r).sort((a, b) => above[b] - above[a]);
    const [all, rest] = [true, false].map((isAbove) => sumOf(order.filter((i) => (codes[i] >= boundary) === isAbove).map((i) => weights[i] * ratios[codes[i]])) || 1);
    let [alarms, missed] = [0, all];
    const points = [[0, 1]];
    order.forEach((i, place) => {
      const weight = weights[i] * ratios[codes[i]];
      if (codes[i] >= boundary) missed -= weight;
      else alarms += weight;
      const last = order.length - 1;
      const tied = place < last && above[order[place + 1]] === above[i];
      if (!tied && (place % Math.ceil(last / 150) === 0 || place === last)) points.push([alarms / rest, Math.max(0, missed / all)]);
    });
    return isLow ? points.map(([alarm, miss]) => [miss, alarm]).reverse() : points;
  });
}

// Error rate in use among the rows that are not referred.
function classifiedRate(name, { confusion, ratios }) {
  const { isAmong, isWrong } = MISTAKES.get(name);
  const massOf = (holds) => sumOf(confusion.flatMap((line, y) => line.map((count, c) => (isAmong(y) && c < r && holds(c) ? count * ratios[y] : 0))));
  return massOf(isWrong) / (massOf(() => true) || 1);
}

const pullLimit = (name, most) => setLimit("drag", name, clamp(Number(most.toFixed(2)), 0.01, 0.99));

on("boundary", "change", ({ target }) => change("boundary", { boundary: target.value }));
on("boundary-most", "input", ({ target }) => pullLimit(byId("boundary").value, target.valueAsNumber / 100));

function showTradeoffs({ outcome, outcomes }) {
  // Miss rates at each boundary, and other limited error rates.
  const boundaries = upTo(r).slice(1);
  const misses = isLowestCostlier(state) ? boundaries.map(alarmsAt) : boundaries.reverse().map(missedAt);
  const names = new Set([...misses, ...state.limits.map((each) => each.name)]);
  const wanted = state.boundary ?? state.limits.at(-1)?.name;
  const name = names.has(wanted) ? wanted : misses[0];
  byId("boundary").replaceChildren(...[...names].map((value) => element("option", MISTAKES.get(value).words, { value })));
  byId("boundary").value = name;
  const limit = state.limits.find((each) => each.name === name);
  const most = limit?.most ?? Math.min(0.99, shareOf({ name }, outcome.decided, outcome.ratios).sure);
  const slider = byId("boundary-most");
  if (slider !== document.activeElement) slider.value = 100 * most;
  slider.ariaValueText = `${short(100 * most)} %`;
  say("boundary-words", `${limit ? "at most" : "no limit: meets at most"} ${short(100 * most)} %`);
  const others = outcomes.map(({ candidate }) => candidate).filter((candidate) => !candidate.baseline && candidate !== outcome.candidate);
  const curvesBy = (points) => [...others, outcome.candidate].map((candidate) => ({ name: candidate.name, ours: candidate === outcome.candidate, points: points(candidate) }));
  const curves = curvesBy((candidate) => priceCurve(candidate, name).map(([share, cost]) => [share, cost - outcome.cost]));
  const furthest = Math.min(1, Math.max(most, ...curves.map(({ points }) => points.at(-1)[0])) * 1.1);
  for (const curve of curves) curve.points = [...curve.points, [furthest, curve.points.at(-1)[1]]]; // looser limits change nothing
  const heights = curves.flatMap(({ points }) => points.map(([, cost]) => cost));
  const [lowest, highest] = [Math.min(0, ...heights), Math.min(Math.max(...heights), 3 * outcome.cost || Infinity)];
  const room = 0.05 * (highest - lowest || 1);
  const scales = [[0, furthest], [lowest - room, highest + room]];
  drawPanel("price", ["maximum allowed share", "mean cost, difference from the selection"], scales, curves, [most, 0], (share) => pullLimit(name, share), limit);
  const half = curves.at(-1).points.findLast(([least]) => least <= most / 2)?.[1];
  say("price-words", `A limit of ${short(50 * most)} % in place of ${short(100 * most)} %: ${half === undefined ? "it cannot be met" : `mean cost ${moreWords(half)}`}.`);
  const { boundary } = MISTAKES.get(name);
  const isLow = name === alarmsAt(boundary);
  const errors = [alarmsAt(boundary), missedAt(boundary)];
  if (isLow) errors.reverse();
  const at = errors.map((each) => classifiedRate(each, outcome));
  const rows = MISTAKES.get(errors[1]).rows;
  drawPanel("missed", ["false alarm rate, other classes", `miss rate, ${rows}`], at.map((share) => [0, clamp(2 * share, 0.2, 1)]), curvesBy((candidate) => missedCurve(candidate, boundary, isLow, outcome)), at, (_, share) => pullLimit(errors[1], share));
  say("missed-words", `${capital(outcome.candidate.name)}: miss rate ${percent(at[1])} % (${rows}), false alarm rate ${percent(at[0])} % (other classes)${state.refer ? ", of the rows that are not referred" : ""}.`);
}

// Curves of the candidates in a panel, the selected one last, with a draggable point.
function drawPanel(id, names, scales, curves, [x, y], pull, limit) {
  const frame = frameOf(id, names, scales, PANEL, 460);
  const { foot, toX, toY, show } = frame;
  const lines = curves.map(({ name, ours, points }) => (
    drawing("polyline", { class: ours ? "ours" : "other", points: pointsOf(points, toX, toY) }, drawing("title", {}, name))
  ));
  if (limit) lines.unshift(stroke(toX(x), ROOM.top, toX(x), foot, "limit"));
  // Names stand at the last point of each curve in the frame.
  const ends = curves.flatMap(({ points, ...curve }) => {
    const last = points.findLast((point) => point.every((value, d) => value === clamp(value, ...scales[d])));
    return last ? [{ ...curve, x: toX(last[0]), y: toY(last[1]) }] : [];
  });
  show(lines, [...namesOf(ends, frame), drawing("circle", { cx: toX(x), cy: toY(y), r: 6, class: "handle" })], pull);
}
