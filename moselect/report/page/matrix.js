// The matrix of pairs of objectives: every point is a model with the thresholds of the search, the
// ring is the choice.

const [TOP, BOTTOM, GAP] = [8, 46, 14];
const NEAR = 6; // pixels within which models count as one point
const WIDEST = 520; // of a panel

// The ends of the axes of all objectives, with room around the points.
const scales = data.objectives.map((_, j) => {
  const [low, high] = extent(EVERYONE.map((i) => objective(i, j)));
  return [low - 0.05 * (high - low), high + 0.05 * (high - low)];
});

const [ground, upper] = ["ground", "upper"].map((name) => element("canvas", undefined, { class: name, "aria-hidden": "true" }));
let panels = [];
let plotted = null; // what follows from the state
let brushed = null; // a rectangle that is being drawn

function layOut() {
  const { shown } = state;
  const across = shown.length - 1;
  const width = byId("matrix").clientWidth;
  const drawn = ground.getContext("2d");
  drawn.font = font(11);
  const widths = shown.slice(1).flatMap((j) => ticksOf(j, 4).map(({ text }) => drawn.measureText(text).width));
  const left = Math.max(44, 30 + Math.ceil(Math.max(...widths)));
  const room = Math.min((width - left - GAP * (across - 1) - 4) / across, WIDEST);
  const height = Math.max(64, Math.min(230, room * 0.8));
  panels = shown.slice(1).flatMap((jy, line) => shown.slice(0, line + 1).map((jx, column) => ({
    jx,
    jy,
    left: left + column * (room + GAP),
    top: TOP + line * (height + GAP),
    width: room,
    height,
    first: column === 0,
    last: line === across - 1,
  })));
  return [width, TOP + across * (height + GAP) - GAP + BOTTOM];
}

const ticksOf = (j, most) => ticks(...scales[j].map((value) => inUnits(j, value)), most)
  .map(({ value, text }) => ({ value: fromUnits(j, value), text }));
const shareAlong = (j, value) => (value - scales[j][0]) / (scales[j][1] - scales[j][0]);
const toX = (panel, value) => panel.left + shareAlong(panel.jx, value) * panel.width;
const toY = (panel, value) => panel.top + (1 - shareAlong(panel.jy, value)) * panel.height;
const valueAt = (j, share) => scales[j][0] + share * (scales[j][1] - scales[j][0]);

function drawMatrix() {
  const [width, height] = layOut();
  byId("matrix").style.height = `${height}px`;
  const drawn = pen(ground, width, height);
  const within = new Set(plotted.within);
  for (const panel of panels) {
    drawAxes(drawn, panel, width);
    drawPoints(drawn, panel, EVERYONE.filter((i) => !within.has(i)), "faint");
    drawPoints(drawn, panel, plotted.within, "model");
  }
  drawUpper();
}

function drawAxes(drawn, panel, edge) {
  const { left, top, width, height } = panel;
  const along = ticksOf(panel.jx, Math.max(1, Math.floor(width / 62)));
  const up = ticksOf(panel.jy, Math.max(1, Math.floor(height / 40)));
  drawn.fillStyle = colour("grid");
  for (const { value } of along) drawn.fillRect(Math.round(toX(panel, value)), top, 1, height);
  for (const { value } of up) drawn.fillRect(left, Math.round(toY(panel, value)), width, 1);
  drawn.strokeStyle = colour("control");
  drawn.strokeRect(left + 0.5, top + 0.5, width, height);
  drawn.font = font(11);
  drawn.fillStyle = colour("muted");
  drawn.textAlign = "center";
  drawn.textBaseline = "top";
  for (const { value, text } of panel.last ? along : []) { // no number crosses the edge
    drawn.fillText(text, Math.min(toX(panel, value), edge - drawn.measureText(text).width / 2), top + height + 5);
  }
  drawn.textAlign = "right";
  drawn.textBaseline = "middle";
  for (const { value, text } of panel.first ? up : []) drawn.fillText(text, left - 5, toY(panel, value));
  drawn.font = font(13, 500);
  drawn.fillStyle = colour("text");
  drawn.textAlign = "center";
  if (panel.last) write(drawn, titles[panel.jx], left + width / 2, top + height + 30, width);
  if (!panel.first) return;
  drawn.save();
  drawn.translate(10, top + height / 2);
  drawn.rotate(-Math.PI / 2);
  write(drawn, titles[panel.jy], 0, 0, height);
  drawn.restore();
}

function drawPoints(drawn, panel, models, name) {
  const size = (front.k > 1500 ? 3 : 4.5) * Math.max(0.5, Math.min(1, panel.width / 220)); // less on phones
  drawn.fillStyle = colour(name);
  drawn.globalAlpha = front.k > 1500 ? 0.55 : 0.75;
  for (const i of models) {
    drawn.fillRect(toX(panel, objective(i, panel.jx)) - size / 2, toY(panel, objective(i, panel.jy)) - size / 2, size, size);
  }
  drawn.globalAlpha = 1;
}

// The limits, the choice, the pinned model and the brush.
function drawUpper() {
  const box = byId("matrix");
  const drawn = pen(upper, box.clientWidth, parseFloat(box.style.height));
  for (const panel of panels) {
    const { left, top, width, height } = panel;
    drawn.fillStyle = colour("text");
    for (const { key, low, high } of state.limits) {
      const j = indexOfKey(key);
      for (const end of [low, high]) {
        if (end === null || j < 0 || Math.abs(shareAlong(j, end) - 0.5) > 0.5) continue;
        if (j === panel.jx) drawn.fillRect(toX(panel, end), top, 1, height);
        if (j === panel.jy) drawn.fillRect(left, toY(panel, end), width, 1);
      }
    }
    ring(drawn, panel, plotted.pinned, "model", [3, 2]);
    ring(drawn, panel, plotted.chosenMeasures, "chosen", []);
  }
  if (brushed === null) return;
  const sides = [brushed.left, brushed.top, brushed.right - brushed.left, brushed.bottom - brushed.top];
  drawn.fillStyle = colour("text");
  drawn.globalAlpha = 0.15;
  drawn.fillRect(...sides);
  drawn.globalAlpha = 1;
  drawn.strokeStyle = colour("text");
  drawn.strokeRect(...sides);
}

// What lies outside of a panel, as thresholds for unusual costs do, stands at its edge.
function ring(drawn, panel, measures, name, dash) {
  if (!measures) return;
  const x = inside(toX(panel, measures[panel.jx]), panel.left + 2, panel.width - 4);
  const y = inside(toY(panel, measures[panel.jy]), panel.top + 2, panel.height - 4);
  drawn.setLineDash(dash);
  for (const [ink, size] of [["card", 5], [name, 3]]) {
    drawn.beginPath();
    drawn.arc(x, y, 7, 0, 2 * Math.PI);
    drawn.lineWidth = size;
    drawn.strokeStyle = colour(ink);
    drawn.stroke();
  }
  drawn.setLineDash([]);
  drawn.lineWidth = 1;
}

function panelAt([x, y], room = 0) {
  return panels.find(({ left, top, width, height }) => (
    x >= left - room && x <= left + width + room && y >= top - room && y <= top + height + room
  ));
}

// The models on the nearest point, and the panel.
function modelsAt(place) {
  const panel = place && panelAt(place, NEAR);
  if (!panel) return { panel: null, models: [] };
  const apart = EVERYONE.map((i) => (
    Math.hypot(toX(panel, objective(i, panel.jx)) - place[0], toY(panel, objective(i, panel.jy)) - place[1])
  ));
  const nearest = Math.min(NEAR, ...apart);
  return { panel, models: EVERYONE.filter((i) => apart[i] <= nearest + 1e-6) };
}

function rectangle({ left, top, width, height }, corners) {
  const [[x0, x1], [y0, y1]] = [0, 1].map((way) => (
    corners.map((corner) => inside(corner[way], way ? top : left, way ? height : width)).sort((a, b) => a - b)
  ));
  return { left: x0, right: x1, top: y0, bottom: y1 };
}

// A side of the rectangle that leaves no model out sets no limit.
function limitOf(j, shares) {
  const [low, high] = shares.map((share) => valueAt(j, share));
  const values = EVERYONE.map((i) => objective(i, j));
  return {
    key: data.objectives[j].key,
    low: values.some((value) => value < low) ? low : null,
    high: values.some((value) => value > high) ? high : null,
  };
}

function listenToMatrix() {
  let panel = null;
  byId("matrix").append(ground, upper);
  listen(byId("matrix"), {
    began: (place) => { panel = panelAt(place); return Boolean(panel); },
    moved: (start, end) => {
      brushed = rectangle(panel, [start, end]);
      byId("hint").hidden = true;
      drawUpper();
    },
    ended: () => {
      const { left, right, top, bottom } = brushed;
      brushed = null;
      setLimits([
        limitOf(panel.jx, [left, right].map((x) => (x - panel.left) / panel.width)),
        limitOf(panel.jy, [bottom, top].map((y) => 1 - (y - panel.top) / panel.height)),
      ]);
    },
    clicked: (place) => {
      const { models } = modelsAt(place);
      if (models.length > 0) pick(models);
    },
    hovered: (place) => showHint(place, modelsAt(place)),
  });
  new ResizeObserver(() => { if (plotted) drawMatrix(); }).observe(byId("matrix").parentElement);
}

function showHint(place, { panel, models }) {
  const hint = byId("hint");
  hint.hidden = models.length === 0;
  byId("matrix").style.cursor = models.length > 0 ? "pointer" : panel ? "crosshair" : "";
  if (hint.hidden) return;
  hint.textContent = [
    models.length === 1 ? nameOf(models[0]) : `${models.length} models on this point`,
    ...[panel.jx, panel.jy].map((j) => `${titles[j]} ${measured(j, objective(models[0], j))}`),
  ].join(" · ");
  hint.style.left = `${Math.max(0, Math.min(place[0] + 12, byId("matrix").clientWidth - hint.offsetWidth))}px`;
  hint.style.top = `${place[1] + 14}px`;
}
