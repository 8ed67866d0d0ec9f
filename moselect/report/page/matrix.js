// The matrix of pairs of objectives.
"use strict";

const RING = 7; // radius of the ring around the chosen model, in pixels

function drawMatrix() {
  const shown = shownObjectives();
  const width = byId("matrix").clientWidth;
  const panel = Math.max(86, Math.min(220, (width - 70) / (shown.length - 1)) * 0.78);
  const models = allModels();
  const trace = {
    type: "splom",
    dimensions: shown.map((j) => ({
      label: plain(data.objectives[j].words),
      values: column(j, models),
    })),
    diagonal: { visible: false },
    showupperhalf: false,
    text: data.places.map((place) => `model ${place}`),
    hovertemplate: "%{xaxis.title.text} %{x:.4f}<br>%{yaxis.title.text} %{y:.4f}<extra>%{text}</extra>",
    marker: { size: front.k > 1500 ? 3 : 4.5, color: colour("model"), opacity: front.k > 1500 ? 0.5 : 0.7 },
    selected: { marker: { opacity: 0.9 } },
    unselected: { marker: { color: colour("faint"), opacity: 0.35 } },
    selectedpoints: isSelective() ? state.selected : null,
  };
  const layout = {
    height: panel * (shown.length - 1) + 70,
    margin: { l: 62, r: 8, t: 12, b: 52 },
    dragmode: "select",
    clickmode: "event",
    hovermode: "closest",
    showlegend: false,
    paper_bgcolor: "transparent",
    plot_bgcolor: "transparent",
    font: font(11),
    hoverlabel: { bgcolor: colour("card"), bordercolor: colour("line"), font: font(12, "text") },
    newselection: { line: { color: colour("text"), width: 1, dash: "dot" } },
    activeselection: { fillcolor: colour("model"), opacity: 0.06 },
    shapes: rings(),
  };
  shown.forEach((_, position) => {
    const number = position === 0 ? "" : position + 1;
    for (const side of ["x", "y"]) {
      layout[`${side}axis${number}`] = {
        gridcolor: colour("grid"),
        linecolor: colour("line"),
        showline: true,
        mirror: true,
        zeroline: false,
        nticks: panel < 110 ? 3 : 4,
        tickfont: font(10),
        tickangle: 0,
        title: { font: font(12, "text"), standoff: 8 },
      };
    }
  });
  return Plotly.react("matrix", [trace], layout, CONFIG);
}

// A ring around the chosen model in every panel: shapes move without drawing the points again.
function rings() {
  const shown = shownObjectives();
  const made = [];
  shown.forEach((jy, y) => shown.forEach((jx, x) => {
    if (x >= y) return;
    made.push({
      type: "circle",
      xref: `x${x === 0 ? "" : x + 1}`,
      yref: `y${y === 0 ? "" : y + 1}`,
      xsizemode: "pixel",
      ysizemode: "pixel",
      xanchor: objective(chosen(), jx),
      yanchor: objective(chosen(), jy),
      x0: -RING, x1: RING, y0: -RING, y1: RING,
      line: { color: colour("chosen"), width: 3 },
    });
  }));
  return made;
}

const moveRings = once(() => Plotly.relayout("matrix", { shapes: rings() }));

// The rectangle that Plotly drew goes: what counts is which models it caught.
const paintMatrix = once(() => Plotly.update(
  "matrix",
  { selectedpoints: [isSelective() ? state.selected : null] },
  { selections: [] },
));

function listenToMatrix() {
  const matrix = byId("matrix");
  const brush = (event, painted) => {
    if (!event?.range) return; // a click, or the rectangle going
    const caught = event.points.map((point) => point.pointNumber);
    state.brush = caught.length > 0 ? new Set(caught) : null;
    showSelection({ painted });
  };
  matrix.on("plotly_selecting", (event) => brush(event, true)); // Plotly paints while it goes on
  matrix.on("plotly_selected", (event) => brush(event, false));
  matrix.on("plotly_click", (event) => pin(event.points[0].pointNumber));
}
