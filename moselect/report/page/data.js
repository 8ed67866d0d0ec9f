// The front, as the page was given it. Rows of a table of models lie one after the other; those of
// the models selected for settings of costs follow those of the front.

const data = JSON.parse(document.getElementById("data").textContent);
const KINDS = { f8: Float64Array, f4: Float32Array, i4: Int32Array };

async function unpack({ kind, packed }) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new KINDS[kind](await new Response(stream).arrayBuffer());
}

const front = {
  k: data.indices.length,
  m: data.objectives.length,
  p: data.features.length,
  r: data.classes.length,
};
await Promise.all(Object.entries(data.arrays).map(async ([name, array]) => {
  front[name] = array && await unpack(array);
}));

function row(table, width, i) {
  return table.subarray(i * width, (i + 1) * width);
}

function objective(i, j) {
  return front.objectives[i * front.m + j];
}

function indexOfKey(key) {
  return data.objectives.findIndex((each) => each.key === key);
}

function nameOf(i) {
  return i < front.k ? `model ${data.indices[i]}` : `the model selected for “${data.settings[i - front.k].name}”`;
}

const sumOf = (values) => values.reduce((a, b) => a + b, 0);
const masses = data.classes.map((_, y) => sumOf(row(front.confusions, front.r, y)));
const nSamples = sumOf(masses);
const sharesOfData = masses.map((mass) => mass / nSamples);

// Objectives that are the same for all models are shown once.
const distinct = data.objectives.flatMap((each, j) => (each.same_as === null ? [j] : []));
