// What the user has set so far: kept in the address, so that a link restores it, and undone step
// by step.

const PAUSE = 700; // milliseconds: movements of a slider that follow each other sooner are one step

// What decides: costs, limits, and the kind of model, null for the default. A page begins with what
// was selected last.
const initialSettings = () => ({
  classCosts: data.classes.map(() => 1),
  loss: "absolute",
  matrix: null, // all costs, when they are set one by one
  priors: null, // shares of the classes in use, of any sum
  refer: null, // what it costs to leave a row of each class to a person
  label: "refer", // what such a row is called
  limits: [], // as `isAmong` and `isMistake` read them, with the share `most`
  kind: null,
  ...data.start,
});

const initial = () => ({
  ...initialSettings(),
  pin: null, // settings to compare with
  before: null, // those before the last change of costs or limits
  member: null, // a model of the front that is looked at
  border: null, // the limit that trade-offs are drawn for, null for the default
  axes: null, // keys of the objectives that the front is drawn in
});

const DECIDING = new Set(["costs", "drag", "limit", "loss", "matrix", "shares", "reset", "refer", "preset"]);
const settingsNow = () => Object.fromEntries(Object.keys(initialSettings()).map((name) => [name, state[name]]));
const state = initial();
const undone = [];
let lastChange = { what: "", time: 0 };
let addressTimer = 0;

// Change the state by one step of undo; a movement of sliders is one step.
function change(what, patch) {
  const now = performance.now();
  const goesOn = ["costs", "drag"].includes(what) && what === lastChange.what && now - lastChange.time <= PAUSE;
  if (!goesOn) undone.push(written());
  if (!goesOn && DECIDING.has(what)) state.before = found && { ...settingsNow(), kind: found.outcome.kind.name };
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
    if ([given, given.pin, given.before].every((each) => each === null || fits(each))) Object.assign(state, given);
  } catch { /* the address of something else */ }
  update();
}

// Whether settings can be some for these classes and kinds.
function fits({ classCosts, loss, matrix, refer, limits, kind, member = null, border = null, axes = null }) {
  const isClass = (c) => c === undefined || c in data.classes;
  return classCosts.length === r && loss in LOSSES && (matrix === null || matrix.length === r) && (refer === null || refer.length === r)
    && limits.every(({ most }) => most > 0 && most < 1)
    && [...limits, border ?? {}].every(({ truth, below, above, called }) => [truth, below, above, called].every(isClass))
    && (kind === null || kindNamed(kind) !== undefined) && (member === null || member in data.front.indices)
    && (axes === null || axes.every((key) => data.front.objectives.some((one) => one.key === key)));
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
