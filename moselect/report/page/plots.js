// What both charts share. Plotly reads some HTML in its texts, so names are made plain for it.
"use strict";

const CONFIG = { displayModeBar: false, responsive: true, doubleClick: false };

function plain(name) {
  return name.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

function font(size, name = "muted") {
  return { family: getComputedStyle(document.body).fontFamily, size, color: colour(name) };
}

function shownObjectives() {
  return data.objectives.map((_, j) => j).filter((j) => state.shown[j]);
}

function column(j, order) {
  return Array.from(order, (i) => objective(i, j));
}

function allModels() {
  return Array.from({ length: front.k }, (_, i) => i);
}

function extent(values) {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low < high ? [low, high] : [low - 0.5, high + 0.5];
}
