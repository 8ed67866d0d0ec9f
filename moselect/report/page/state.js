// What the user has set so far: kept in the address, so that a link restores it, and undone step
// by step.

import { data, front, indexOfKey } from "./data.js";
import { canSolve } from "./thresholds.js";

const PAUSE = 700; // milliseconds: movements of a slider that follow each other sooner are one step
const MOVED = ["costs", "shares"];
const FIRST = ["accuracy", "one_minus_mae", "vus"];

export const distinct = data.objectives.flatMap((each, j) => (each.same_as === null ? [j] : []));

function firstShown() {
  const known = distinct.filter((j) => FIRST.includes(data.objectives[j].key));
  return known.length >= 2 ? known : distinct.slice(0, 3);
}

export function initial() {
  return {
    classCosts: data.classes.map(() => 1),
    loss: "absolute",
    setting: null, // preferences that are set instead of costs: an index into the selections
    matrix: null, // all costs, when they are set one by one
    priors: null, // shares of the classes in use, of sum 1
    solve: canSolve, // thresholds for the costs that are set
    limits: [], // {key, low, high} or {y, to, low, high}; low and high may be null
    look: null, // a model looked at instead of the cheapest
    pin: null, // a candidate to compare with: {i, cuts}
    shown: firstShown(),
    noise: false, // axes at the scale of noise
  };
}

export const state = initial();
const undone = [];
let last = { what: "", time: 0 };
let changed = () => {};

export function onChange(listener) {
  changed = listener;
}

// Change the state by one step of undo; a movement of sliders is one step.
export function change(what, patch) {
  const now = performance.now();
  const goesOn = MOVED.includes(what) && what === last.what && now - last.time <= PAUSE;
  if (!goesOn) undone.push(written(state));
  last = { what, time: now };
  const replaces = ["costs", "shares", "reset"].includes(what); // what is set before
  Object.assign(state, replaces ? { setting: null } : {}, patch);
  keepAddressSoon();
  changed();
}

export function canUndo() {
  return undone.length > 0;
}

export function undo() {
  if (undone.length === 0) return;
  restore(undone.pop());
  last = { what: "", time: 0 };
  keepAddressSoon();
}

export function restore(text) {
  Object.assign(state, initial(), parsed(text));
  changed();
}

const pinName = (i) => (i < front.k ? data.indices[i] : `s${i - front.k}`);
const list = (values) => values.join(",");
const numbersIn = (text) => text.split(",").map(Number);

export function written(s) {
  const parts = new URLSearchParams();
  if (s.matrix) parts.set("matrix", list(s.matrix.flat()));
  else if (s.classCosts.some((cost) => cost !== 1)) parts.set("costs", list(s.classCosts));
  if (s.loss !== "absolute") parts.set("loss", s.loss);
  if (s.setting !== null) parts.set("setting", s.setting);
  if (s.priors) parts.set("shares", list(s.priors));
  if (canSolve && !s.solve) parts.set("thresholds", "search");
  for (const { key, y, to, low, high } of s.limits) {
    parts.append("limit", `${key ?? `${y}>${to}`}~${low ?? ""}~${high ?? ""}`);
  }
  if (s.look !== null) parts.set("model", data.indices[s.look]);
  if (s.pin) parts.set("pin", list([pinName(s.pin.i), ...(s.pin.cuts ?? [])]));
  if (s.noise) parts.set("axes", "noise");
  if (list(s.shown) !== list(firstShown())) parts.set("show", s.shown.map((j) => data.objectives[j].key).join(","));
  return parts.toString();
}

// What an address says, as far as it fits this front.
function parsed(text) {
  const parts = new URLSearchParams(text);
  const { r } = front;
  const found = {};
  const costs = (values, n) => (
    values.length === n && values.every((v) => Number.isFinite(v) && v >= 0) && values.some((v) => v > 0)
  );
  const classCosts = numbersIn(parts.get("costs") ?? "");
  if (costs(classCosts, r)) found.classCosts = classCosts;
  const cells = numbersIn(parts.get("matrix") ?? "");
  if (costs(cells, r * r)) found.matrix = Array.from({ length: r }, (_, y) => cells.slice(y * r, (y + 1) * r));
  const priors = numbersIn(parts.get("shares") ?? "");
  if (costs(priors, r) && Math.abs(priors.reduce((a, b) => a + b) - 1) <= 1e-9) found.priors = priors;
  if (["squared", "zero_one"].includes(parts.get("loss"))) found.loss = parts.get("loss");
  const setting = data.selections[parts.get("setting")];
  if (setting?.preferences) found.setting = data.selections.indexOf(setting);
  if (parts.get("thresholds") === "search") found.solve = false;
  found.noise = parts.get("axes") === "noise";
  found.limits = parts.getAll("limit").flatMap(limitIn);
  const look = data.indices.indexOf(Number(parts.get("model") ?? NaN));
  if (look >= 0) found.look = look;
  const [pinned, ...cuts] = (parts.get("pin") ?? "").split(",");
  const i = data.indices.concat(data.selections.map((_, s) => `s${s}`).slice(0, data.n_selected)).findIndex((name) => String(name) === pinned);
  if (i >= 0 && [0, canSolve ? r - 1 : 0].includes(cuts.length)) {
    found.pin = { i, cuts: cuts.length > 0 ? Uint8Array.from(cuts) : null };
  }
  const shown = (parts.get("show") ?? "").split(",").map(indexOfKey).filter((j) => distinct.includes(j));
  if (shown.length >= 2) found.shown = shown;
  return found;
}

function limitIn(text) {
  const [what, low, high] = text.split("~");
  const ends = { low: low ? Number(low) : null, high: high ? Number(high) : null };
  if (!high && !low || Number.isNaN(ends.low) || Number.isNaN(ends.high)) return [];
  if (indexOfKey(what) >= 0) return [{ key: what, ...ends }];
  const [y, to] = what.split(">");
  const word = ["other", "lower", "higher"].includes(to);
  const known = (c) => Number.isInteger(c) && c >= 0 && c < front.r;
  return known(Number(y)) && to && (word || known(Number(to)))
    ? [{ y: Number(y), to: word ? to : Number(to), ...ends }]
    : [];
}

let waiting = 0;

// Browsers refuse addresses that change as often as a slider moves.
function keepAddressSoon() {
  clearTimeout(waiting);
  waiting = setTimeout(keepAddress, 350);
}

// In a frame of a notebook there is no address to keep.
export function keepAddress() {
  clearTimeout(waiting);
  if (location.protocol !== "about:" && window.top === window) {
    const text = written(state);
    history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search);
  }
}
