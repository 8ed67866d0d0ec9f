// The front, as the page was given it. Rows of a table of k models lie one after the other.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);

const front = {
  k: data.places.length,
  m: data.objectives.length,
  p: data.features.length,
  r: data.classes.length,
  objectives: numbers(data.arrays.objectives, Float64Array),
  holdout: data.arrays.holdout && numbers(data.arrays.holdout, Float64Array),
  weights: numbers(data.arrays.weights, Float64Array),
  thresholds: numbers(data.arrays.thresholds, Float64Array),
  confusions: numbers(data.arrays.confusions, Int32Array),
  holdoutConfusions: data.arrays.holdout_confusions
    && numbers(data.arrays.holdout_confusions, Int32Array),
};

function numbers(base64, Kind) {
  return new Kind(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)).buffer);
}

function row(table, width, i) {
  return table.subarray(i * width, (i + 1) * width);
}

function objective(i, j) {
  return front.objectives[i * front.m + j];
}

function byId(id) {
  return document.getElementById(id);
}

// Text of users only ever enters the page here, as text.
function element(tag, text, attributes = {}) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

// A name that may be long: cut short by the style, told in full by the tool tip.
function named(tag, text, attributes = {}) {
  const made = element(tag, undefined, attributes);
  made.append(element("span", text, { class: "name", title: text }));
  return made;
}

function short(value, digits = 4) {
  return String(Number(value.toPrecision(digits)));
}

function grouped(count) {
  return count.toLocaleString("en");
}

// Call `work` once after a burst of calls, at the next frame or after a pause.
function once(work, pause) {
  let waiting = 0;
  return () => {
    if (pause === undefined) {
      if (!waiting) waiting = requestAnimationFrame(() => { waiting = 0; work(); });
    } else {
      clearTimeout(waiting);
      waiting = setTimeout(work, pause);
    }
  };
}
