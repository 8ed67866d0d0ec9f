// What a limit costs, and what is missed against false alarms at a border: one curve a kind. A limit
// is set by its slider, or by pulling the pictures.

const PRICES = [0, ...Array.from({ length: 61 }, (_, k) => 2 ** (k / 4 - 6))]; // of a mistake, in mean costs
const PANEL = 250;
const curvesKnown = new Map();

const mistakes = () => [
  ...Array.from({ length: r - 1 }, (_, k) => ({ truth: r - 1 - k, below: r - 1 - k })),
  ...state.limits.filter(({ truth, below }) => truth === undefined || truth !== below).map(({ most, ...mistake }) => mistake),
];
const isLimited = (mistake) => state.limits.find((limit) => sameMistake(limit, mistake));

function shownMistake() {
  const last = state.limits.at(-1);
  const wanted = state.border ?? last;
  return mistakes().find((mistake) => wanted && sameMistake(mistake, wanted)) ?? mistakes()[0];
}

// The least limit that a kind meets, and what it costs then, for rising prices of the mistake.
function priceCurve(kind, mistake) {
  const others = { ...settingsNow(), limits: state.limits.filter((limit) => !sameMistake(limit, mistake)), kind: null };
  const key = JSON.stringify([kind.name, mistake, others]);
  if (!curvesKnown.has(key)) {
    const { solved, costs } = outcomeOf(kind, others);
    const unit = sumOf(costs.flat()) / costs.flat().length || 1;
    const points = PRICES.map((price) => {
      const decided = decide(kind, solved.map((line, y) => line.map((cost, c) => cost + isMistake(mistake, y, c) * price * unit)));
      const { share, error } = shareOf(mistake, decided);
      return [share + data.sure * error, meanOf(Float64Array.from(decided, (c, i) => costs[codes[i]][c]))];
    });
    let least = Infinity;
    curvesKnown.set(key, points.toSorted(([a], [b]) => a - b).map(([share, cost]) => [share, least = Math.min(least, cost)]));
  }
  return curvesKnown.get(key);
}

// The shares of false alarms and of misses at a border, for all cuts of P(class at the border or above).
function missedCurve(kind, border) {
  const key = `${kind.name} ${border}`;
  if (!curvesKnown.has(key)) {
    const above = Array.from(codes, (_, i) => kind.proba.subarray(i * r + border, (i + 1) * r).reduce((a, b) => a + b, 0));
    const order = Array.from(above.keys()).sort((a, b) => above[b] - above[a]);
    const [all, rest] = [sumOf(masses.slice(border)), sumOf(masses.slice(0, border))];
    let [alarms, missed] = [0, all];
    const points = [[0, 1]];
    order.forEach((i, place) => {
      if (codes[i] >= border) missed -= weights[i];
      else alarms += weights[i];
      const tied = place + 1 < n && above[order[place + 1]] === above[i];
      if (!tied && (place % Math.ceil(n / 150) === 0 || place === n - 1)) points.push([alarms / rest, Math.max(0, missed / all)]);
    });
    curvesKnown.set(key, points);
  }
  return curvesKnown.get(key);
}

function setLimit(mistake, most) {
  const limit = { ...mistake, most: Math.min(0.99, Math.max(0.01, Number(most.toFixed(2)))) };
  change("drag", { limits: [...state.limits.filter((other) => !sameMistake(other, limit)), limit] });
}

function makeTradeoffs() {
  byId("border").addEventListener("change", () => change("border", { border: mistakes()[Number(byId("border").value)] }));
  byId("border-most").addEventListener("input", () => setLimit(shownMistake(), byId("border-most").valueAsNumber / 100));
}

function showTradeoffs({ outcome, outcomes }) {
  const mistake = shownMistake();
  byId("border").replaceChildren(...mistakes().map((each, i) => element("option", mistakeWords(each), { value: i })));
  byId("border").value = mistakes().findIndex((each) => sameMistake(each, mistake));
  const [limit, held] = [isLimited(mistake), shareOf(mistake, outcome.decided)];
  const most = limit?.most ?? Math.min(0.99, held.share + data.sure * held.error);
  if (document.activeElement !== byId("border-most")) byId("border-most").value = 100 * most;
  byId("border-most").setAttribute("aria-valuetext", `${percent(most)} %`);
  byId("border-words").textContent = limit ? `at most ${percent(most)} %` : `without a limit up to ${percent(most)} %`;
  const kinds = outcomes.map(({ kind }) => kind).filter((kind) => !kind.rival || kind === outcome.kind);
  const curves = kinds.map((kind) => ({ kind, points: priceCurve(kind, mistake) }));
  const furthest = Math.min(1, Math.max(most, ...curves.map(({ points }) => points.at(-1)[0])) * 1.1);
  const own = curves.find(({ kind }) => kind === outcome.kind).points;
  const costOf = (share) => own.findLast(([least]) => least <= share)?.[1];
  const heights = curves.flatMap(({ points }) => points.map(([, cost]) => cost));
  drawPanel("price", ["greatest share allowed", "mean cost of a row"], [[0, furthest], [Math.min(...heights, outcome.cost) * 0.95, Math.min(Math.max(...heights), 4 * Math.min(...heights)) * 1.03]], curves, outcome, [most, outcome.cost], (share) => setLimit(mistake, share), limit && most);
  const [cost, half] = [limit ? outcome.cost : costOf(most), costOf(most / 2)];
  const words = (at, value) => (value === undefined ? `${percent(at)} % cannot be met` : `${percent(at)} % costs ${money(value)} a row`);
  byId("price-words").textContent = `At most ${words(most, cost)}, ${words(most / 2, half)}${cost > 0 && half > cost ? ` (${percent(half / cost - 1)} % more)` : ""}.`;
  const border = mistake.below ?? (mistake.above === undefined ? mistake.called : mistake.above + 1);
  byId("missed-box").hidden = border === 0;
  if (border === 0) return;
  const share = (isAbove, wrong) => sumOf(outcome.confusion.flatMap((line, y) => ((y >= border) === isAbove ? Array.from(line).filter((_, c) => c < r && wrong(c)) : []))) / sumOf(masses.filter((_, y) => (y >= border) === isAbove));
  const at = [share(false, (c) => c >= border), share(true, (c) => c < border)];
  drawPanel("missed", [`false alarms below ${classNames[border]}`, `missed from ${classNames[border]} on`], at.map((share) => [0, Math.min(1, Math.max(0.2, 2 * share))]), kinds.map((kind) => ({ kind, points: missedCurve(kind, border) })), outcome, at, (_, missed) => setLimit({ truth: border, below: border }, missed), null);
  byId("missed-words").textContent = `${capital(outcome.kind.name)} misses ${percent(at[1])} % of the rows from ${classNames[border]} on, and calls ${percent(at[0])} % of those below too high.`;
}

// Curves of kinds in a panel, the selected one on top, with a point that can be pulled.
function drawPanel(id, names, scales, curves, { kind: selected }, [x, y], pull, line) {
  const frame = frameOf(id, scales, PANEL, 460);
  const { width, toX, toY, fromX, fromY, clip, grid } = frame;
  const sorted = curves.toSorted((a, b) => (a.kind === selected) - (b.kind === selected));
  const drawn = sorted.map(({ kind, points }) => drawing("polyline", {
    class: kind === selected ? "line ours" : "line", points: points.map(([a, b]) => `${toX(clip(a, 0)).toFixed(1)},${toY(clip(b, 1)).toFixed(1)}`).join(" "),
  }, [drawing("title", {}, [kind.name])]));
  const shown = ([a, b]) => a <= scales[0][1] && b <= scales[1][1];
  const ends = sorted.flatMap(({ kind, points }) => (points.some(shown) ? [{ name: kind.name, at: points.findLast(shown), ours: kind === selected }] : []));
  const labels = apart(ends.map((end) => ({ ...end, y: toY(end.at[1]) - 4 })), 13).map((end) => drawing("text", { x: Math.min(width - 4, toX(end.at[0])), y: end.y, class: end.ours ? "end name" : "end" }, [end.name]));
  showFramed(id, names, frame, PANEL, [
    ...grid, ...(line ? [drawing("line", { x1: toX(line), x2: toX(line), y1: toY(scales[1][0]), y2: toY(scales[1][1]), class: "limit" })] : []),
    ...drawn, ...labels, drawing("circle", { cx: toX(clip(x, 0)), cy: toY(clip(y, 1)), r: 6, class: "handle" }),
  ], { class: "panel", viewBox: `0 0 ${width} ${PANEL}` });
  const pulled = ({ buttons, clientX, clientY }) => {
    const box = byId(id).querySelector("svg").getBoundingClientRect();
    if (buttons === 1) pull(fromX(clientX - box.left), fromY(clientY - box.top));
  };
  [byId(id).onpointerdown, byId(id).onpointermove] = [pulled, pulled];
}

// Labels moved up so that none covers another.
function apart(labels, gap) {
  const placed = [];
  for (const label of labels.toSorted((a, b) => b.y - a.y)) placed.push({ ...label, y: Math.min(label.y, (placed.at(-1)?.y ?? Infinity) - gap) });
  return placed;
}
