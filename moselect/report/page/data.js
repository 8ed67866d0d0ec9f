// What the page was given: the true classes of rows, and of each kind of model the class
// probabilities (n x r, row after row) by models that were fitted without the row's fold.

const data = JSON.parse(document.getElementById("data").textContent);
const FORMATS = {
  f4: (bytes) => new Float32Array(bytes),
  u2: (bytes) => new Uint16Array(bytes),
  u4: (bytes) => new Uint32Array(bytes),
  json: (bytes) => JSON.parse(new TextDecoder().decode(bytes)),
};

async function unpack({ kind, packed }) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return FORMATS[kind](await new Response(stream).arrayBuffer());
}

const codes = await unpack(data.codes);
const weights = data.weights ? await unpack(data.weights) : codes.map(() => 1); // of the rows
const units = data.groups && await unpack(data.groups); // rows of one group are not independent
for (const kind of data.kinds) {
  kind.proba = await unpack(kind.proba);
  if (kind.case) {
    kind.case = await unpack(kind.case);
    readyGraph(kind.case.graph);
  }
}

const [n, r] = [codes.length, data.classes.length];
const nUnits = units ? new Set(units).size : n;
const sizes = data.classes.map((_, y) => codes.reduce((sum, code) => sum + (code === y), 0));
const masses = data.classes.map((_, y) => codes.reduce((sum, code, i) => sum + (code === y) * weights[i], 0));
const total = sumOf(masses);
const sharesOfData = masses.map((mass) => mass / total);
const kindNamed = (name) => data.kinds.find((kind) => kind.name === name);
