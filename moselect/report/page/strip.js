// The score with its cut points: probabilities of the classes along it, and which costs a cut implies.

const [STRIP, STRIP_FOOT] = [150, 22];

// By how much costs above a cut may change until a row gets another class: of rows on both sides.
function slackOf({ kind, decided, solved }, k) {
  let [lowest, highest] = [0, Infinity];
  for (let i = 0; i < n; i++) {
    if (decided[i] !== k && decided[i] !== k + 1) continue;
    const factor = factorAt(solved, k, kind.proba.subarray(i * r, (i + 1) * r));
    if (decided[i] === k) highest = Math.min(highest, factor);
    else lowest = Math.max(lowest, factor);
  }
  return [lowest, highest];
}

// The factor on the costs of the classes above a cut at which both sides of it cost the same.
function factorAt(costs, k, proba) {
  const gains = costs.map((line, y) => proba[y] * (line[k] - line[k + 1]));
  return -sumOf(gains.slice(0, k + 1)) / sumOf(gains.slice(k + 1));
}

// Set the costs that a cut at a score implies: those of the classes above it change.
function moveCut({ kind }, k, at) {
  const factor = factorAt(costsInUse({ ...state, refer: null }), k, probabilitiesAt(kind.score, at));
  if (!(factor > 1e-3 && factor < 1e3)) return;
  const scaled = (cost, y) => Number((y > k ? cost * factor : cost).toPrecision(3));
  change("drag", state.matrix ? { matrix: state.matrix.map((line, y) => line.map((cost) => scaled(cost, y))) } : { classCosts: state.classCosts.map(scaled) });
}

function showStrip(outcome) {
  const { kind, thresholds, referral } = outcome;
  const { rows } = kind.score;
  const cuts = referral?.cuts ?? thresholds;
  const inside = thresholds.filter((cut) => cut > rows[0] && cut < rows.at(-1));
  const [low, high] = [Math.min(rows[1], ...inside), Math.max(rows.at(-2), ...inside)];
  const width = Math.max(240, Math.min(620, byId("strip").clientWidth || 320));
  const toX = (score) => ((score - low) / (high - low || 1)) * width;
  const atX = (x) => low + (x / width) * (high - low);
  const steps = Array.from({ length: 61 }, (_, s) => low + (s / 60) * (high - low));
  const along = steps.map((score) => probabilitiesAt(kind.score, score));
  const areas = data.classes.map((name, c) => {
    const upTo = (s, last) => STRIP * (1 - sumOf(along[s].slice(0, last)));
    const edge = (last) => steps.map((score, s) => `${toX(score).toFixed(1)},${upTo(s, last).toFixed(1)}`);
    const area = drawing("polygon", { points: [...edge(c), ...edge(c + 1).reverse()].join(" "), class: "area" }, [drawing("title", {}, [name])]);
    area.style.setProperty("--rank", (c + 1) / r);
    return area;
  });
  const rug = rows.slice(1, -1).map((score) => drawing("line", { x1: toX(score), x2: toX(score), y1: STRIP + 2, y2: STRIP + 8, class: "rug" }));
  const slacks = thresholds.map((_, k) => slackOf(outcome, k));
  const handles = referral ? cuts.map((cut) => drawing("line", { x1: toX(cut), x2: toX(cut), y1: 0, y2: STRIP, class: "cut" })) : thresholds.flatMap((cut, k) => {
    if (cut < low || cut > high) return [];
    const handle = drawing("g", { class: "pull", tabindex: 0, role: "slider", "aria-label": `Cut between ${data.classes[k]} and ${data.classes[k + 1]}`, "aria-valuenow": cut.toPrecision(4), "aria-valuemin": low.toPrecision(4), "aria-valuemax": high.toPrecision(4), "data-cut": k }, [
      drawing("line", { x1: toX(cut), x2: toX(cut), y1: 0, y2: STRIP, class: "cut" }), drawing("line", { x1: toX(cut), x2: toX(cut), y1: 0, y2: STRIP + 10, class: "grip" }),
    ]);
    handle.addEventListener("keydown", ({ key }) => {
      const way = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[key];
      if (way) moveCut(outcome, k, cut + (way * (high - low)) / 50);
    });
    return [handle];
  });
  const focused = document.activeElement?.dataset?.cut;
  const svg = drawing("svg", { width, height: STRIP + STRIP_FOOT, "aria-label": "Probabilities of the classes along the score", role: "group" }, [...areas, ...rug, ...handles]);
  svg.append(...[[0, "", low], [width, "end", high]].map(([x, side, value]) => drawing("text", { x, y: STRIP + 20, class: side }, [short(value)])));
  byId("strip").replaceChildren(svg);
  if (focused !== undefined) svg.querySelector(`[data-cut="${focused}"]`)?.focus();
  byId("strip").onpointermove = ({ buttons, clientX, target }) => {
    const x = clientX - byId("strip").getBoundingClientRect().left;
    const k = byId("strip").pulled;
    if (buttons === 1 && k !== undefined) moveCut(outcome, k, atX(Math.max(0, Math.min(width, x))));
    if (buttons !== 1) byId("strip").pulled = target.closest?.("[data-cut]")?.dataset.cut === undefined ? undefined : Number(target.closest("[data-cut]").dataset.cut);
  };
  const all = [-Infinity, ...cuts, Infinity];
  const digits = 3 + Math.ceil(Math.log10(1 + Math.max(...cuts.map(Math.abs)) / (Math.max(...cuts) - Math.min(...cuts) || 1)));
  const answers = referral?.codes ?? data.classes.map((_, c) => c);
  const slackWords = (k) => (k < 0 || referral ? "" : `${short(slacks[k][0])} to ${Number.isFinite(slacks[k][1]) ? short(slacks[k][1]) : "any"}`);
  fill(byId("thresholds"), ["class", kind.name === "points" ? "sum of points" : "score", element("th", "same calls if dearer by", { class: "wrapped" })], answers.map((c, k) => ({ cells: [
    c === r ? state.label : classHead(c, "row"), kind.name === "points" ? sumsOf([all[k], all[k + 1]], kind) : scoresOf([all[k], all[k + 1]], digits), slackWords(k - 1),
  ] })));
}
