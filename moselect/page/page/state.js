// Settings of the user: kept in the address, so that a link restores them, with undo.

const PAUSE = 700; // milliseconds: movements of a slider that follow each other sooner are one step

// Decision settings: costs, limits, and the candidate, null for the default. Initially those of the
// last selection.
const initialSettings = () => ({
  classCosts: data.classes.map(() => 1),
  loss: "absolute",
  matrix: null, // all costs, when they are set one by one
  priors: null, // shares of the classes in use, of any sum
  refer: null, // cost of a referral by true class
  label: "refer", // label of referred rows
  limits: [], // names of `MISTAKES`, each with the share that it may have at most
  candidate: null,
  ...data.start,
});

// Whether these are the settings of the selection that the page reports.
const isInitial = (settings) => Object.entries(initialSettings()).every(([name, value]) => name === "candidate" || JSON.stringify(settings[name]) === JSON.stringify(value));

const initial = () => ({
  ...initialSettings(),
  pin: null, // settings to compare with
  before: null, // those before the last change of costs or limits
  member: null, // a model of the front that is looked at
  boundary: null, // the mistake that trade-offs are drawn for, null for the default
  axes: null, // keys of the objectives that the front is drawn in
});

const LOOKS = new Set(["candidate", "pin", "member", "boundary", "axes"]); // changes of nothing that decides
const settingsNow = () => Object.fromEntries(Object.keys(initialSettings()).map((name) => [name, state[name]]));
const settingsFound = () => found && { ...settingsNow(), candidate: found.outcome.candidate.name };
const state = initial();
const undone = [];
let lastChange = { what: "", time: 0 };
let addressTimer = 0;

// Change the state by one step of undo; a movement of sliders is one step.
function change(what, patch) {
  const time = performance.now();
  const goesOn = ["costs", "drag"].includes(what) && what === lastChange.what && time - lastChange.time <= PAUSE;
  if (!goesOn) undone.push(written());
  if (!goesOn && !LOOKS.has(what)) state.before = settingsFound();
  lastChange = { what, time };
  Object.assign(state, patch);
  // Browsers refuse addresses that change as often as a slider moves.
  clearTimeout(addressTimer);
  addressTimer = setTimeout(keepAddress, 350);
  update();
}

// Differences from the initial state, with the class names they refer to.
function written() {
  const first = initial();
  const changed = Object.entries(state).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(first[name]));
  return changed.length > 0 ? JSON.stringify({ classes: r, ...Object.fromEntries(changed) }) : "";
}

function restore(address) {
  Object.assign(state, initial());
  try {
    const { classes, ...given } = JSON.parse(address || "{}");
    if (classes === r) Object.assign(state, given);
    update();
  } catch { // the address of something else
    restore("");
  }
}

// In a frame of a notebook there is no address to keep.
function keepAddress() {
  if (location.protocol !== "about:" && window.top === window) {
    const address = written();
    history.replaceState(null, "", address ? `#${encodeURIComponent(address)}` : location.pathname + location.search);
  }
}

const restoreAddress = () => restore(decodeURIComponent(location.hash.slice(1)));
