// Parallel coordinates: an axis for each objective, a line for each model. Axis j stands at x = j
// and runs from 0, the least value on the front, to 1, the best.
"use strict";

const NEAR = 0.04; // half the width of a brushed piece of an axis
const UPWARD = [-0.02, 1.02]; // what is shown of the axes
const HEIGHT = 300;
const MARGIN = { l: 12, r: 12, t: 44, b: 24 };

const limits = data.objectives.map((_, j) => extent(column(j, allModels())));

function heightOf(j, value) {
  return (value - limits[j][0]) / (limits[j][1] - limits[j][0]);
}

// All lines as a picture that Plotly puts between its axes: as traces they would keep a browser
// without a graphics card busy for seconds.
function paintLines(shown, across, width, height) {
  const canvas = element("canvas");
  canvas.width = Math.round(width * window.devicePixelRatio);
  canvas.height = Math.round(height * window.devicePixelRatio);
  const pen = canvas.getContext("2d");
  pen.scale(canvas.width / (across[1] - across[0]), canvas.height / (UPWARD[0] - UPWARD[1]));
  pen.translate(-across[0], -UPWARD[1]);
  const layer = (models, name) => {
    pen.strokeStyle = colour(name);
    pen.globalAlpha = Math.min(0.7, 4 / Math.sqrt(Math.max(1, models.length)));
    for (const i of models) {
      pen.save();
      pen.beginPath();
      shown.forEach((j, position) => pen.lineTo(position, heightOf(j, objective(i, j))));
      pen.resetTransform(); // so that lines are as wide as they are high
      pen.lineWidth = window.devicePixelRatio;
      pen.stroke();
      pen.restore();
    }
  };
  const selected = new Set(state.selected);
  if (isSelective()) layer(allModels().filter((i) => !selected.has(i)), "faint");
  layer(state.selected, "model");
  return canvas.toDataURL();
}

function drawLines() {
  const shown = shownObjectives();
  const places = shown.map((_, position) => position);
  const across = [-0.22, shown.length - 1 + 0.22];
  const width = byId("lines").clientWidth - MARGIN.l - MARGIN.r;
  const height = HEIGHT - MARGIN.t - MARGIN.b;
  const end = (j, position, side) => ({
    x: position,
    y: side,
    yshift: side === 0 ? -10 : 10,
    text: String(Number(limits[j][side].toPrecision(3))),
    showarrow: false,
    font: font(10),
  });
  const layout = {
    height: HEIGHT,
    margin: MARGIN,
    dragmode: "select",
    hovermode: false,
    showlegend: false,
    paper_bgcolor: "transparent",
    plot_bgcolor: "transparent",
    font: font(11),
    newselection: { line: { color: colour("text"), width: 1, dash: "dot" } },
    xaxis: {
      range: across,
      fixedrange: true,
      side: "top",
      tickvals: places,
      ticktext: shown.map((j) => plain(data.objectives[j].words)),
      tickfont: font(12, "text"),
      ticklabelstandoff: 12,
      gridcolor: colour("control"),
      zeroline: false,
    },
    yaxis: { range: UPWARD, fixedrange: true, visible: false },
    annotations: shown.flatMap((j, position) => [end(j, position, 0), end(j, position, 1)]),
    shapes: shown.flatMap((j, position) => brushedPiece(j, position)),
    selections: [],
    images: [{
      source: paintLines(shown, across, width, height),
      xref: "paper", yref: "paper", x: 0, y: 1, sizex: 1, sizey: 1,
      sizing: "stretch",
      layer: "below",
    }],
  };
  const traces = [
    {
      x: places,
      y: shown.map((j) => heightOf(j, objective(chosen(), j))),
      mode: "lines",
      hoverinfo: "skip",
      line: { color: colour("chosen"), width: 3 },
    },
    // What the brush catches, so that there is something to brush.
    { x: places, y: places.map(() => 0.5), mode: "markers", marker: { opacity: 0 }, hoverinfo: "skip" },
  ];
  return Plotly.react("lines", traces, layout, CONFIG);
}

function brushedPiece(j, position) {
  if (state.ranges[j] === null) return [];
  const [low, high] = state.ranges[j].map((value) => Math.max(-0.02, Math.min(1.02, heightOf(j, value))));
  return [{
    type: "rect",
    x0: position - NEAR, x1: position + NEAR, y0: low, y1: high,
    fillcolor: colour("text"), opacity: 0.25, line: { width: 0 },
  }];
}

const drawLinesSoon = once(drawLines, 120);

function listenToLines() {
  window.addEventListener("resize", drawLinesSoon);
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
