// The matrix of pairs of objectives: every point is a model with the thresholds of the search, the
// ring is the choice.

import { data, front, indexOfKey, objective } from "./data.js";
import { byId, once } from "./dom.js";
import { colour, font, layers, listen, pen, ticks, write } from "./canvas.js";
import { fromUnits, inUnits, measured, titles } from "./numbers.js";
import { axisEnds } from "./noise.js";
import { state } from "./state.js";

const TOP = 8;
const BELOW = 46;
const GAP = 14;
const NEAR = 6; // pixels within which models count as one point
const WIDEST = 520; // of a panel

let left = 58; // room for the ticks of the vertical axes
let panels = [];
let found = null; // what follows from the state
let brushed = null; // a rectangle that is being drawn
let onBrush = () => {};
let onPick = () => {};

let scales = [];

const [ground, upper] = layers("matrix");

export function drawMatrix(results) {
  found = results;
  drawSoon();
}

const drawSoon = once(draw);

function layOut() {
  const box = byId("matrix");
  const shown = state.shown;
  const across = shown.length - 1;
  const width = box.clientWidth;
  const room = Math.min((width - left - GAP * (across - 1) - 4) / across, WIDEST);
  const height = Math.max(64, Math.min(230, room * 0.8));
  panels = [];
  for (let below = 1; below < shown.length; below++) {
    for (let beside = 0; beside < below; beside++) {
      panels.push({
        jx: shown[beside],
        jy: shown[below],
        left: left + beside * (room + GAP),
        top: TOP + (below - 1) * (height + GAP),
        width: room,
        height,
        first: beside === 0,
        last: below === shown.length - 1,
      });
    }
  }
  return [width, TOP + across * (height + GAP) - GAP + BELOW];
}

const toX = (panel, value) => {
  const [low, high] = scales[panel.jx];
  return panel.left + ((value - low) / (high - low)) * panel.width;
};
const toY = (panel, value) => {
  const [low, high] = scales[panel.jy];
  return panel.top + (1 - (value - low) / (high - low)) * panel.height;
};
const xAt = (panel, x) => scales[panel.jx][0] + ((x - panel.left) / panel.width) * (scales[panel.jx][1] - scales[panel.jx][0]);
const yAt = (panel, y) => scales[panel.jy][1] - ((y - panel.top) / panel.height) * (scales[panel.jy][1] - scales[panel.jy][0]);

function withRoom([low, high]) {
  const room = 0.05 * (high - low);
  return [low - room, high + room];
}

function draw() {
  scales = axisEnds().map(withRoom);
  left = roomForTicks();
  const [width, height] = layOut();
  byId("matrix").style.height = `${height}px`;
  const drawn = pen(ground, width, height);
  const within = new Uint8Array(front.k);
  for (const i of found.within) within[i] = found.alike[i] ? 2 : 1;
  for (const panel of panels) {
    drawAxes(drawn, panel);
    drawPoints(drawn, panel, within, 0, "faint");
    drawPoints(drawn, panel, within, 1, "model");
    drawPoints(drawn, panel, within, 2, "alike");
  }
  drawUpper();
}

function roomForTicks() {
  const drawn = ground.getContext("2d");
  drawn.font = font(11);
  const widths = state.shown.slice(1).flatMap((j) => (
    ticks(...scales[j].map((value) => inUnits(j, value)), 4).map(({ text }) => drawn.measureText(text).width)
  ));
  return Math.max(44, 30 + Math.ceil(Math.max(0, ...widths)));
}

function drawAxes(drawn, panel) {
  drawn.strokeStyle = colour("control");
  drawn.lineWidth = 1;
  drawn.strokeRect(panel.left + 0.5, panel.top + 0.5, panel.width, panel.height);
  drawn.fillStyle = colour("muted");
  drawn.font = font(11);
  const scale = (j) => scales[j].map((value) => inUnits(j, value));
  const along = ticks(...scale(panel.jx), Math.max(1, Math.floor(panel.width / 62)));
  const up = ticks(...scale(panel.jy), Math.max(1, Math.floor(panel.height / 40)));
  drawn.strokeStyle = colour("grid");
  drawn.beginPath();
  for (const { value } of along) {
    const x = Math.round(toX(panel, fromUnits(panel.jx, value))) + 0.5;
    drawn.moveTo(x, panel.top + 1);
    drawn.lineTo(x, panel.top + panel.height);
  }
  for (const { value } of up) {
    const y = Math.round(toY(panel, fromUnits(panel.jy, value))) + 0.5;
    drawn.moveTo(panel.left + 1, y);
    drawn.lineTo(panel.left + panel.width, y);
  }
  drawn.stroke();
  if (panel.last) {
    drawn.textAlign = "center";
    drawn.textBaseline = "top";
    const edge = byId("matrix").clientWidth; // which no number is to cross
    for (const { value, text } of along) {
      const x = Math.min(toX(panel, fromUnits(panel.jx, value)), edge - drawn.measureText(text).width / 2);
      drawn.fillText(text, x, panel.top + panel.height + 5);
    }
    drawn.fillStyle = colour("text");
    drawn.font = font(13, 500);
    write(drawn, titles[panel.jx], panel.left + panel.width / 2, panel.top + panel.height + 23, panel.width);
  }
  if (panel.first) {
    drawn.fillStyle = colour("muted");
    drawn.font = font(11);
    drawn.textAlign = "right";
    drawn.textBaseline = "middle";
    for (const { value, text } of up) drawn.fillText(text, panel.left - 5, toY(panel, fromUnits(panel.jy, value)));
    drawn.save();
    drawn.translate(10, panel.top + panel.height / 2);
    drawn.rotate(-Math.PI / 2);
    drawn.textAlign = "center";
    drawn.fillStyle = colour("text");
    drawn.font = font(13, 500);
    write(drawn, titles[panel.jy], 0, 0, panel.height);
    drawn.restore();
  }
}

function drawPoints(drawn, panel, within, kind, name) {
  const size = (front.k > 1500 ? 3 : 4.5) * Math.max(0.5, Math.min(1, panel.width / 220)); // less on phones
  drawn.fillStyle = colour(name);
  drawn.globalAlpha = front.k > 1500 ? 0.55 : 0.75;
  const [lowX, highX] = scales[panel.jx];
  const [lowY, highY] = scales[panel.jy];
  const perX = panel.width / (highX - lowX);
  const perY = panel.height / (highY - lowY);
  const { m, objectives } = front;
  for (let i = 0; i < front.k; i++) {
    if (within[i] !== kind) continue;
    const x = panel.left + (objectives[i * m + panel.jx] - lowX) * perX;
    const y = panel.top + panel.height - (objectives[i * m + panel.jy] - lowY) * perY;
    drawn.fillRect(x - size / 2, y - size / 2, size, size);
  }
  drawn.globalAlpha = 1;
}

// The limits, the choice, the pinned model and the brush.
function drawUpper() {
  const box = byId("matrix");
  const drawn = pen(upper, box.clientWidth, parseFloat(box.style.height));
  for (const panel of panels) {
    drawn.save();
    drawn.beginPath();
    drawn.rect(panel.left, panel.top, panel.width, panel.height);
    drawn.clip();
    drawn.setLineDash([4, 3]);
    drawn.strokeStyle = colour("text");
    for (const limit of state.limits) {
      for (const end of [limit.low, limit.high]) {
        if (end === null || limit.key === undefined) continue;
        const j = indexOfKey(limit.key);
        drawn.beginPath();
        if (j === panel.jx) {
          drawn.moveTo(toX(panel, end), panel.top);
          drawn.lineTo(toX(panel, end), panel.top + panel.height);
        } else if (j === panel.jy) {
          drawn.moveTo(panel.left, toY(panel, end));
          drawn.lineTo(panel.left + panel.width, toY(panel, end));
        }
        drawn.stroke();
      }
    }
    drawn.restore();
    ring(drawn, panel, found.pinned, "model", 8, [3, 2]);
    ring(drawn, panel, found.chosenMeasures, "chosen", 7, []);
  }
  if (brushed) {
    const { x0, y0, x1, y1 } = brushed;
    drawn.fillStyle = colour("text");
    drawn.globalAlpha = 0.12;
    drawn.fillRect(x0, y0, x1 - x0, y1 - y0);
    drawn.globalAlpha = 1;
    drawn.strokeStyle = colour("text");
    drawn.strokeRect(x0, y0, x1 - x0, y1 - y0);
  }
}

// What lies outside of a panel, as thresholds for unusual costs do, stands at its edge.
function ring(drawn, panel, measures, name, radius, dash) {
  if (!measures) return;
  const inside = (value, low, size) => Math.max(low + 2, Math.min(low + size - 2, value));
  const x = inside(toX(panel, measures[panel.jx]), panel.left, panel.width);
  const y = inside(toY(panel, measures[panel.jy]), panel.top, panel.height);
  drawn.beginPath();
  drawn.arc(x, y, radius, 0, 2 * Math.PI);
  drawn.setLineDash(dash);
  drawn.lineWidth = 5;
  drawn.strokeStyle = colour("card");
  drawn.stroke();
  drawn.lineWidth = 3;
  drawn.strokeStyle = colour(name);
  drawn.stroke();
  drawn.setLineDash([]);
  drawn.lineWidth = 1;
}

function panelAt(x, y, room = 0) {
  return panels.find((panel) => (
    x >= panel.left - room && x <= panel.left + panel.width + room
    && y >= panel.top - room && y <= panel.top + panel.height + room
  ));
}

function modelsAt(x, y) {
  const panel = panelAt(x, y, NEAR);
  if (!panel) return [];
  const near = [];
  let nearest = NEAR ** 2;
  for (let i = 0; i < front.k; i++) {
    const apart = (toX(panel, objective(i, panel.jx)) - x) ** 2 + (toY(panel, objective(i, panel.jy)) - y) ** 2;
    if (apart > nearest) continue;
    if (apart < nearest - 1e-6) near.length = 0;
    nearest = apart;
    near.push(i);
  }
  return near;
}

const rectangle = (panel, [x0, y0], [x1, y1]) => {
  const [left, right] = [x0, x1].map((x) => Math.max(panel.left, Math.min(panel.left + panel.width, x))).sort((a, b) => a - b);
  const [top, bottom] = [y0, y1].map((y) => Math.max(panel.top, Math.min(panel.top + panel.height, y))).sort((a, b) => a - b);
  return { x0: left, y0: top, x1: right, y1: bottom };
};

// A side of the rectangle that leaves no model out sets no limit.
const open = (j, [low, high]) => {
  const values = Array.from({ length: front.k }, (_, i) => objective(i, j));
  return { low: values.some((v) => v < low) ? low : null, high: values.some((v) => v > high) ? high : null };
};

export function listenToMatrix(brush, pick) {
  onBrush = brush;
  onPick = pick;
  let panel;
  listen(byId("matrix"), {
    began: (x, y) => { panel = panelAt(x, y); return Boolean(panel); },
    moved: (start, end) => {
      brushed = start && rectangle(panel, start, end);
      hint("");
      drawUpper();
    },
    ended: (start, end) => {
      const { x0, y0, x1, y1 } = rectangle(panel, start, end);
      brushed = null;
      const { jx, jy } = panel;
      onBrush([
        { key: data.objectives[jx].key, ...open(jx, [xAt(panel, x0), xAt(panel, x1)]) },
        { key: data.objectives[jy].key, ...open(jy, [yAt(panel, y1), yAt(panel, y0)]) },
      ]);
      drawUpper();
    },
    clicked: (x, y) => {
      const models = modelsAt(x, y);
      if (models.length > 0) onPick(models);
    },
    hovered: (x, y) => {
      const models = modelsAt(x, y);
      const at = panelAt(x, y, NEAR);
      byId("matrix").style.cursor = models.length > 0 ? "pointer" : at ? "crosshair" : "";
      hint(models.length === 0 ? "" : [
        models.length === 1 ? `model ${data.indices[models[0]]}` : `${models.length} models on this point`,
        `${titles[at.jx]} ${measured(at.jx, objective(models[0], at.jx))}`,
        `${titles[at.jy]} ${measured(at.jy, objective(models[0], at.jy))}`,
      ].join(" · "), x, y);
    },
    left: () => hint(""),
  });
  new ResizeObserver(once(draw)).observe(byId("matrix").parentElement);
}

function hint(text, x = 0, y = 0) {
  const shown = byId("hint");
  shown.hidden = text === "";
  if (text === "") return;
  shown.textContent = text;
  const width = byId("matrix").clientWidth;
  shown.style.left = `${Math.max(0, Math.min(x + 12, width - shown.offsetWidth))}px`;
  shown.style.top = `${y + 14}px`;
}
