// What the user has set so far: kept in the address, so that a link restores it, and undone step
// by step.

const PAUSE = 700; // milliseconds: movements of a slider that follow each other sooner are one step

// What decides: costs, limits, and the kind of model, null for the default.
const initialSettings = () => ({
  classCosts: data.classes.map(() => 1),
  loss: "absolute",
  matrix: null, // all costs, when they are set one by one
  priors: null, // shares of the classes in use, of any sum
  limits: [], // {truth, below, most} or {called, most}
  kind: null,
});

const initial = () => ({
  ...initialSettings(),
  pin: null, // settings to compare with
  member: null, // a model of the front that is looked at
});

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
    if (fits(given) && (given.pin === null || fits(given.pin))) Object.assign(state, given);
  } catch { /* the address of something else */ }
  update();
}

// Whether settings can be some for these classes and kinds.
function fits({ classCosts, loss, matrix, limits, kind, member = null }) {
  return classCosts.length === r && loss in LOSSES && (matrix === null || matrix.length === r)
    && limits.every(({ truth, called, most }) => (called ?? truth) in data.classes && most > 0 && most < 1)
    && (kind === null || kindNamed(kind) !== undefined) && (member === null || member in data.front.indices);
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
