// Data of the page: true classes, and out-of-fold class probabilities of each candidate (n x r, row-major).

const data = JSON.parse(document.getElementById("data").textContent);

async function unpack({ dtype, packed }) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const content = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
  if (dtype === "json") return content.json();
  return new { f4: Float32Array, u2: Uint16Array }[dtype](await content.arrayBuffer());
}

const codes = await unpack(data.codes);
const weights = data.weights ? await unpack(data.weights) : codes.map(() => 1); // of the rows
const units = data.groups ? await unpack(data.groups) : codes.map((_, i) => i); // independent ones
data.result.decided = await unpack(data.result.decided); // of the reported model, whose thresholds may be tuned
for (const candidate of data.candidates) {
  candidate.proba = await unpack(candidate.proba);
  candidate.case &&= await unpack(candidate.case);
  if (candidate.case) readyGraph(candidate.case.graph);
}

const [n, r, nUnits] = [codes.length, data.classes.length, new Set(units).size];
const weightsBy = upTo(r).map((y) => weights.filter((_, i) => codes[i] === y));
const masses = weightsBy.map(sumOf);
// The share of its class that the unit of each row has.
const cells = Array.from(codes, (y, i) => y * nUnits + units[i]);
const cellMasses = Array(r * nUnits).fill(0);
cells.forEach((cell, i) => { cellMasses[cell] += weights[i]; });
const classShares = cells.map((cell, i) => cellMasses[cell] / masses[codes[i]] || 0);
// The weight of the row that a unit of weight of each class belongs to.
const typical = weightsBy.map((own, y) => (masses[y] > 0 ? sumOf(own.map((weight) => weight ** 2)) / masses[y] : 0));
const total = sumOf(masses);
const sharesOfData = masses.map((mass) => mass / total);
const normalReach = data.reach / data.widening; // of errors that few groups have widened already
// The ends of the interval of an objective: at most 1, and at least 0 of a ranking or 1 - the greatest cost.
const endsOf = ({ costs }, value, spread) => [Math.max(costs ? 1 - Math.max(...costs) : 0, value - spread), Math.min(1, value + spread)];
