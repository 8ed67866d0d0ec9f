// What the user has set so far: kept in the address, so that a link restores it, and undone step
// by step.

const PAUSE = 700; // milliseconds: movements of a slider that follow each other sooner are one step
const FIRST = ["accuracy", "one_minus_mae", "vus"];

function initial() {
  const known = distinct.filter((j) => FIRST.includes(data.objectives[j].key));
  return {
    classCosts: data.classes.map(() => 1),
    loss: "absolute",
    matrix: null, // all costs, when they are set one by one
    priors: null, // shares of the classes in use, of any sum
    limits: [], // {key, low, high} or {y, to, low, high}; low and high may be null
    look: null, // a model looked at instead of the cheapest
    pin: null, // a candidate to compare with: {i, cuts}
    shown: known.length >= 2 ? known : distinct.slice(0, 3),
  };
}

const state = initial();
const undone = [];
let lastChange = { what: "", time: 0 };
let addressTimer = 0;

// Change the state by one step of undo; a movement of sliders is one step.
function change(what, patch) {
  const now = performance.now();
  const goesOn = what === "costs" && what === lastChange.what && now - lastChange.time <= PAUSE;
  if (!goesOn) undone.push(written());
  lastChange = { what, time: now };
  Object.assign(state, patch);
  // Browsers refuse addresses that change as often as a slider moves.
  clearTimeout(addressTimer);
  addressTimer = setTimeout(keepAddress, 350);
  update();
}

function undo() {
  if (undone.length === 0) return;
  restore(undone.pop());
  lastChange = { what: "", time: 0 };
  keepAddress();
}

// What differs from the beginning.
function written() {
  const first = initial();
  const changed = Object.entries(state).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(first[name]));
  return changed.length > 0 ? JSON.stringify(Object.fromEntries(changed)) : "";
}

function restore(text) {
  Object.assign(state, initial());
  try {
    const given = { ...state, ...JSON.parse(text || "{}") };
    if (fits(given)) Object.assign(state, given);
  } catch { /* the address of something else */ }
  update();
}

// Whether a state can be one of this front.
function fits({ classCosts, loss, matrix, limits, look, pin, shown }) {
  return classCosts.length === front.r && loss in LOSSES && (matrix === null || matrix.length === front.r)
    && limits.every(({ key, y }) => (key === undefined ? y in data.classes : indexOfKey(key) >= 0))
    && (look === null || look in data.indices) && shown.length >= 2 && shown.every((j) => distinct.includes(j))
    && (pin === null || (pin.i < front.k + data.settings.length && (pin.cuts === null || nCuts > 0)));
}

// In a frame of a notebook there is no address to keep.
function keepAddress() {
  clearTimeout(addressTimer);
  if (location.protocol !== "about:" && window.top === window) {
    const text = written();
    history.replaceState(null, "", text ? `#${encodeURIComponent(text)}` : location.pathname + location.search);
  }
}

const stateInAddress = () => decodeURIComponent(location.hash.slice(1));
