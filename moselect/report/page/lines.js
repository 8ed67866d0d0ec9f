// Parallel coordinates: an axis for each objective, a line for each model.

import { data, front, indexOfKey, objective } from "./data.js";
import { byId, once } from "./dom.js";
import { colour, font, layers, listen, pen, write } from "./canvas.js";
import { inUnits, short, titles } from "./numbers.js";
import { axisEnds } from "./noise.js";
import { state } from "./state.js";

const TOP = 46;
const HEIGHT = 230;
const BELOW = 26;
const FEWEST = 3; // axes: two are a panel of the matrix

let ends = axisEnds();
const [ground, upper] = layers("lines");
let axes = []; // where they stand, in pixels
let found = null;
let brushed = null; // {position, y0, y1} while it is drawn
let onBrush = () => {};
let onClear = () => {};

export function drawLines(results) {
  found = results;
  drawSoon();
}

const drawSoon = once(draw);

const yOf = (j, value) => TOP + (1 - (value - ends[j][0]) / (ends[j][1] - ends[j][0])) * HEIGHT;
const valueAt = (j, y) => ends[j][1] - ((y - TOP) / HEIGHT) * (ends[j][1] - ends[j][0]);

function draw() {
  const box = byId("lines");
  box.hidden = state.shown.length < FEWEST;
  if (box.hidden) return;
  ends = axisEnds();
  const width = box.clientWidth;
  const height = TOP + HEIGHT + BELOW;
  box.style.height = `${height}px`;
  const space = width / state.shown.length;
  axes = state.shown.map((_, position) => space * (position + 0.5));
  const drawn = pen(ground, width, height);
  const within = new Uint8Array(front.k);
  for (const i of found.within) within[i] = found.alike[i] ? 2 : 1;
  const faint = front.k - found.within.length;
  paint(drawn, within, 0, "faint", faint);
  paint(drawn, within, 1, "model", found.within.length);
  paint(drawn, within, 2, "alike", found.within.length);
  state.shown.forEach((j, position) => {
    const x = Math.round(axes[position]) + 0.5;
    drawn.strokeStyle = colour("control");
    drawn.beginPath();
    drawn.moveTo(x, TOP);
    drawn.lineTo(x, TOP + HEIGHT);
    drawn.stroke();
    drawn.textAlign = "center";
    drawn.textBaseline = "alphabetic";
    drawn.fillStyle = colour("text");
    drawn.font = font(13, 500);
    write(drawn, titles[j], x, 18, space - 8);
    drawn.fillStyle = colour("muted");
    drawn.font = font(11);
    drawn.fillText(short(inUnits(j, ends[j][1]), 3), x, TOP - 8);
    drawn.fillText(short(inUnits(j, ends[j][0]), 3), x, TOP + HEIGHT + 16);
  });
  drawUpper();
}

function paint(drawn, within, kind, name, count) {
  drawn.strokeStyle = colour(name);
  drawn.globalAlpha = Math.min(0.7, 4 / Math.sqrt(Math.max(1, count)));
  drawn.lineWidth = 1;
  for (let i = 0; i < front.k; i++) {
    if (within[i] !== kind) continue;
    drawn.beginPath();
    state.shown.forEach((j, position) => drawn.lineTo(axes[position], yOf(j, objective(i, j))));
    drawn.stroke();
  }
  drawn.globalAlpha = 1;
}

function drawUpper() {
  const box = byId("lines");
  const drawn = pen(upper, box.clientWidth, TOP + HEIGHT + BELOW);
  const follow = (measures, name, dash) => {
    if (!measures) return;
    for (const [ink, size] of [["card", 6], [name, 3]]) {
      drawn.beginPath();
      state.shown.forEach((j, position) => (
        drawn.lineTo(axes[position], Math.max(TOP - 4, Math.min(TOP + HEIGHT + 4, yOf(j, measures[j]))))
      ));
      drawn.setLineDash(dash);
      drawn.strokeStyle = colour(ink);
      drawn.lineWidth = size;
      drawn.stroke();
    }
    drawn.setLineDash([]);
  };
  follow(found.pinned, "model", [6, 4]);
  follow(found.chosenMeasures, "chosen", []);
  for (const { key, low, high } of state.limits) {
    const position = key === undefined ? -1 : state.shown.indexOf(indexOfKey(key));
    if (position < 0) continue;
    const j = state.shown[position];
    band(drawn, position, high === null ? TOP : yOf(j, high), low === null ? TOP + HEIGHT : yOf(j, low));
  }
  if (brushed) band(drawn, brushed.position, brushed.y0, brushed.y1);
}

function band(drawn, position, y0, y1) {
  drawn.fillStyle = colour("text");
  drawn.globalAlpha = 0.22;
  drawn.fillRect(axes[position] - 8, Math.min(y0, y1), 16, Math.abs(y1 - y0));
  drawn.globalAlpha = 1;
  drawn.lineWidth = 1;
  drawn.strokeStyle = colour("text");
  drawn.strokeRect(axes[position] - 8, Math.min(y0, y1), 16, Math.abs(y1 - y0));
}

// A drag belongs to the axis that it began next to, however far it goes sideways.
function axisAt(x) {
  const apart = axes.map((axis) => Math.abs(axis - x));
  const position = apart.indexOf(Math.min(...apart));
  return apart[position] <= 24 ? position : -1;
}

const inside = (y) => Math.max(TOP, Math.min(TOP + HEIGHT, y));

export function listenToLines(brush, clear) {
  onBrush = brush;
  onClear = clear;
  let position = -1;
  listen(byId("lines"), {
    began: (x) => { position = axisAt(x); return position >= 0; },
    moved: (start, end) => {
      brushed = start && { position, y0: inside(start[1]), y1: inside(end[1]) };
      drawUpper();
    },
    ended: (start, end) => {
      brushed = null;
      const [top, bottom] = [inside(start[1]), inside(end[1])].sort((a, b) => a - b);
      const j = state.shown[position];
      onBrush([{
        key: data.objectives[j].key,
        low: bottom >= TOP + HEIGHT ? null : valueAt(j, bottom),
        high: top <= TOP ? null : valueAt(j, top),
      }]);
      drawUpper();
    },
    clicked: (x) => {
      const at = axisAt(x);
      if (at >= 0) onClear(data.objectives[state.shown[at]].key);
    },
    hovered: (x) => { byId("lines").style.cursor = axisAt(x) >= 0 ? "ns-resize" : ""; },
  });
  new ResizeObserver(once(draw)).observe(byId("lines").parentElement);
}
