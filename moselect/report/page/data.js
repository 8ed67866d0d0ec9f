// What the page was given: the true classes of rows, and of each kind of model the class
// probabilities (n x r, row after row) by models that were fitted without the row's fold.

const data = JSON.parse(document.getElementById("data").textContent);
const FORMATS = {
  f4: (bytes) => new Float32Array(bytes),
  u2: (bytes) => new Uint16Array(bytes),
  json: (bytes) => JSON.parse(new TextDecoder().decode(bytes)),
};

async function unpack({ kind, packed }) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return FORMATS[kind](await new Response(stream).arrayBuffer());
}

const codes = await unpack(data.codes);
const weights = data.weights ? await unpack(data.weights) : codes.map(() => 1); // of the rows
const units = data.groups ? await unpack(data.groups) : codes.map((_, i) => i); // independent ones
for (const kind of data.kinds) {
  kind.proba = await unpack(kind.proba);
  if (kind.case) {
    kind.case = await unpack(kind.case);
    readyGraph(kind.case.graph);
  }
}

const [n, r, nUnits] = [codes.length, data.classes.length, new Set(units).size];
const sumOfClass = (values, y) => values.reduce((sum, value, i) => (codes[i] === y ? sum + value : sum), 0);
const sizes = upTo(r).map((y) => sumOfClass(codes.map(() => 1), y));
const masses = upTo(r).map((y) => sumOfClass(weights, y));
const total = sumOf(masses);
const sharesOfData = masses.map((mass) => mass / total);
const kindNamed = (name) => data.kinds.find((kind) => kind.name === name);
