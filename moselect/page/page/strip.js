// The score with its thresholds: class probabilities along it, and the costs that a threshold implies.

const STRIP = 190;

// Range of factors on the costs above a threshold that change no prediction on either side.
function slackWords({ candidate, decided, solved }, k) {
  const factorsOf = (c) => upTo(n).filter((i) => decided[i] === c).map((i) => (
    factorAt(solved, k, candidate.proba.subarray(i * r, (i + 1) * r))
  ));
  const [least, most] = [Math.max(0, ...factorsOf(k + 1)), Math.min(...factorsOf(k))];
  return `${short(least)} to ${most < Infinity ? short(most) : "any"}`;
}

// Factor on the costs of the classes above a threshold at which both sides cost the same.
function factorAt(costs, k, proba) {
  const gains = costs.map((line, y) => proba[y] * (line[k] - line[k + 1]));
  return -sumOf(gains.slice(0, k + 1)) / sumOf(gains.slice(k + 1));
}

// Set the costs implied by a threshold at a score, by scaling the costs of the classes above.
function moveCut({ score }, k, at) {
  const { matrix, classCosts } = state;
  const factor = factorAt(costsInUse({ ...state, refer: null }), k, probabilitiesAt(score, at));
  if (!(factor > 1e-3 && factor < 1e3)) return;
  const scaledAt = (cost, y) => Number((y > k ? cost * factor : cost).toPrecision(3));
  change("drag", matrix ? { matrix: matrix.map((line, y) => line.map((cost) => scaledAt(cost, y))) } : { classCosts: classCosts.map(scaledAt) });
}

function showStrip(outcome) {
  const { candidate, thresholds, along: { cuts, codes: answers } } = outcome;
  const { rows } = candidate.score;
  const seen = [rows[1], rows.at(-2), ...thresholds.filter((cut) => cut > rows[0] && cut < rows.at(-1))];
  const [low, high] = [Math.min(...seen), Math.max(...seen)];
  const what = candidate.name === "scorecard" ? "sum of points" : "score";
  const { toX, toY, foot, show } = frameOf("strip", [what, "probabilities of the classes"], [[low, high], [0, 1]], STRIP, 620);
  const steps = upTo(61).map((s) => low + (s / 60) * (high - low));
  const shares = steps.map((score) => probabilitiesAt(candidate.score, score));
  const areas = data.classes.map((name, c) => {
    const edge = (last) => steps.map((score, s) => [score, sumOf(shares[s].slice(0, last))]);
    const points = pointsOf([...edge(c), ...edge(c + 1).reverse()], toX, toY);
    return drawing("polygon", { points, class: "area", style: `--rank: ${(c + 1) / r}` }, drawing("title", {}, name));
  });
  const rug = rows.slice(1, -1).map((score) => stroke(toX(score), foot, toX(score), foot + 6, "rug"));
  const handles = cuts.map((cut, k) => {
    const line = stroke(toX(cut), ROOM.top, toX(cut), foot, "cut");
    if (state.refer) return line;
    const handle = drawing("g", {
      class: "pull", tabindex: 0, role: "slider", "data-cut": k, "aria-label": `Threshold between ${data.classes[k]} and ${data.classes[k + 1]}`,
      "aria-valuenow": cut.toPrecision(4), "aria-valuemin": low.toPrecision(4), "aria-valuemax": high.toPrecision(4),
    }, [line, stroke(toX(cut), ROOM.top, toX(cut), foot + 10, "grip")]);
    handle.addEventListener("keydown", ({ key }) => {
      const way = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[key];
      if (way) moveCut(candidate, k, cut + (way * (high - low)) / 50);
    });
    return handle;
  }).filter((_, k) => cuts[k] >= low && cuts[k] <= high);
  const focused = document.activeElement.dataset.cut;
  show([...areas, ...rug, ...handles], { role: "group", pull: (score, _, cut) => { if (cut) moveCut(candidate, Number(cut.dataset.cut), score); } });
  byId("strip").querySelector(`[data-cut="${focused}"]`)?.focus();
  const all = [-Infinity, ...cuts, Infinity];
  const digits = 3 + Math.ceil(Math.log10(1 + Math.max(...cuts.map(Math.abs)) / (Math.max(...cuts) - Math.min(...cuts) || 1)));
  const scores = (ends) => (what === "score" ? scoresOf(ends, digits) : sumsOf(ends, candidate));
  const slack = (k) => (k > 0 && !state.refer ? slackWords(outcome, k - 1) : "");
  const lines = answers.map((c, k) => [answerHead(c), scores(all.slice(k, k + 2)), slack(k)]);
  fill(byId("thresholds"), ["class", what, "decisions unchanged for cost factors"], lines);
}

// Attainable sums of points of a class.
function sumsOf(cuts, { case: { points: all } }) {
  const [least, most] = [Math.min, Math.max].map((end) => sumOf(all.map(([points]) => end(0, points))));
  const [from, to] = cuts.map((cut) => clamp(Math.floor(cut), least - 1, most));
  if (from === to) return "never";
  return from + 1 < to ? `${short(from + 1)} to ${short(to)}` : short(to);
}

function scoresOf([low, high], digits) {
  if (low === high) return "never";
  return [low > -Infinity ? `above ${short(low, digits)}` : "", high < Infinity ? `up to ${short(high, digits)}` : ""].filter(Boolean).join(", ");
}
