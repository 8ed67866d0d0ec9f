// What the user has chosen so far, and what follows from it.
"use strict";

const NARROW = window.matchMedia("(max-width: 640px)");

const state = {
  classCosts: data.classes.map(() => 1),
  loss: "absolute",
  priors: null,
  costs: null, // of each model
  cheapest: 0,
  pinned: null, // a model looked at instead of the cheapest
  brush: null, // a Set of models, or null for all
  ranges: data.objectives.map(() => null), // of the objectives: [low, high] or null
  selected: [],
  shown: data.objectives.map((_, j) => !NARROW.matches || j < 3),
  sort: { column: "cost", descending: false },
  firstRow: 0,
};

function chosen() {
  return state.pinned ?? state.cheapest;
}

function isSelective() {
  return state.brush !== null || state.ranges.some((range) => range !== null);
}

function findCosts() {
  const matrix = costMatrix(state.classCosts, state.loss);
  state.costs = expectedCosts(front.confusions, front.r, matrix, state.priors);
  state.cheapest = firstLeast(state.costs);
}

function findSelected() {
  state.selected = [];
  for (let i = 0; i < front.k; i++) {
    const inRanges = state.ranges.every(
      (range, j) => range === null || (objective(i, j) >= range[0] && objective(i, j) <= range[1]),
    );
    if (inRanges && (state.brush === null || state.brush.has(i))) state.selected.push(i);
  }
}
