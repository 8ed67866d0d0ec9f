// Parallel coordinates: an axis for each objective, a line for each model. Axis j stands at x = j
// and runs from 0, the least value on the front, to 1, the best.
"use strict";

const NEAR = 0.04; // half the width of a brushed piece of an axis

const limits = data.objectives.map((_, j) => extent(column(j, allModels())));

function height(j, value) {
  return (value - limits[j][0]) / (limits[j][1] - limits[j][0]);
}

// One polyline through all these models, with gaps between them.
function polyline(models, shown) {
  const x = [];
  const y = [];
  for (const i of models) {
    shown.forEach((j, position) => { x.push(position); y.push(height(j, objective(i, j))); });
    x.push(null);
    y.push(null);
  }
  return { x, y };
}

function lineTraces(shown) {
  const selective = isSelective();
  const selected = new Set(state.selected);
  const others = selective ? allModels().filter((i) => !selected.has(i)) : [];
  const style = { type: "scattergl", mode: "lines", hoverinfo: "skip" };
  const layer = (models, name, width, opacity) => ({
    ...style,
    ...polyline(models, shown),
    opacity,
    line: { color: colour(name), width },
  });
  const fade = (count) => Math.min(0.7, 4 / Math.sqrt(Math.max(1, count)));
  return [
    layer(others, "faint", 1, fade(others.length)),
    layer(state.selected, "model", 1, fade(state.selected.length)),
    layer([chosen()], "chosen", 3, 1),
    // What the brush catches, so that there is something to brush.
    { x: shown.map((_, position) => position), y: shown.map(() => 0.5), mode: "markers", marker: { opacity: 0 }, hoverinfo: "skip" },
  ];
}

function drawLines() {
  const shown = shownObjectives();
  const last = shown.length - 1;
  const end = (j, position, side) => ({
    x: position,
    y: side,
    yshift: side === 0 ? -10 : 10,
    text: String(Number(limits[j][side].toPrecision(3))),
    showarrow: false,
    font: font(10),
  });
  const layout = {
    height: 300,
    margin: { l: 12, r: 12, t: 44, b: 24 },
    dragmode: "select",
    hovermode: false,
    showlegend: false,
    paper_bgcolor: "transparent",
    plot_bgcolor: "transparent",
    font: font(11),
    newselection: { line: { color: colour("text"), width: 1, dash: "dot" } },
    xaxis: {
      range: [-0.22, last + 0.22],
      fixedrange: true,
      side: "top",
      tickvals: shown.map((_, position) => position),
      ticktext: shown.map((j) => plain(data.objectives[j].words)),
      tickfont: font(12, "text"),
      ticklabelstandoff: 12,
      gridcolor: colour("control"),
      zeroline: false,
    },
    yaxis: { range: [-0.02, 1.02], fixedrange: true, visible: false },
    annotations: shown.flatMap((j, position) => [end(j, position, 0), end(j, position, 1)]),
    shapes: shown.flatMap((j, position) => brushedPiece(j, position)),
    selections: [],
  };
  return Plotly.react("lines", lineTraces(shown), layout, CONFIG);
}

function brushedPiece(j, position) {
  if (state.ranges[j] === null) return [];
  const [low, high] = state.ranges[j].map((value) => Math.max(-0.02, Math.min(1.02, height(j, value))));
  return [{
    type: "rect",
    x0: position - NEAR, x1: position + NEAR, y0: low, y1: high,
    fillcolor: colour("text"), opacity: 0.25, line: { width: 0 },
  }];
}

const drawLinesSoon = once(drawLines, 120);

function listenToLines() {
  byId("lines").on("plotly_selected", (event) => {
    if (!event?.range) return;
    const shown = shownObjectives();
    const [left, right] = [...event.range.x].sort((a, b) => a - b);
    const [low, high] = [...event.range.y].sort((a, b) => a - b);
    const nearest = Math.round(Math.min(shown.length - 1, Math.max(0, (left + right) / 2)));
    const crossed = shown.map((_, x) => x).filter((x) => left <= x && x <= right);
    for (const position of crossed.length > 0 ? crossed : [nearest]) {
      const j = shown[position];
      const value = (share) => limits[j][0] + share * (limits[j][1] - limits[j][0]);
      state.ranges[j] = [value(low), value(high)];
    }
    showSelection();
  });
}
