// The front, as the page was given it. Rows of a table of models lie one after the other.

export const data = JSON.parse(document.getElementById("data").textContent);

async function numbers(name, Kind) {
  const packed = data.arrays[name];
  if (packed === null) return null;
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Kind(await new Response(stream).arrayBuffer());
}

const [
  objectives, holdout, expected, expectedSe, weights, thresholds, confusions, holdoutConfusions,
  scoreLow, scoreStep, scoreLevels, scoreCounts, sampleFeatures, sampleCodes,
] = await Promise.all([
  numbers("objectives", Float64Array),
  numbers("holdout", Float64Array),
  numbers("expected", Float64Array),
  numbers("expected_se", Float64Array),
  numbers("weights", Float64Array),
  numbers("thresholds", Float64Array),
  numbers("confusions", Int32Array),
  numbers("holdout_confusions", Int32Array),
  numbers("score_low", Float64Array),
  numbers("score_step", Float64Array),
  numbers("score_levels", Int32Array),
  numbers("score_counts", Int32Array),
  numbers("sample_features", Float64Array),
  numbers("sample_codes", Int32Array),
]);

export const front = {
  k: data.indices.length,
  m: data.objectives.length,
  p: data.features.length,
  r: data.classes.length,
  objectives, holdout, expected, expectedSe, weights, thresholds, confusions, holdoutConfusions,
  scoreLow, scoreStep, scoreLevels, scoreCounts, sampleFeatures, sampleCodes,
};

// Rows from k on are those of the models selected for the settings, in the order of the settings.
export const hasSelected = data.n_selected > 0;

export function nameOf(i) {
  return i < front.k ? `model ${data.indices[i]}` : `the model selected for “${data.selections[i - front.k].name}”`;
}

export function row(table, width, i) {
  return table.subarray(i * width, (i + 1) * width);
}

export function objective(i, j) {
  return front.objectives[i * front.m + j];
}

export const masses = Array.from({ length: front.r }, (_, y) => (
  row(front.confusions, front.r, y).reduce((a, b) => a + b, 0)
));
export const nSamples = masses.reduce((a, b) => a + b, 0);
export const sharesOfData = masses.map((mass) => mass / nSamples);

export function indexOfKey(key) {
  return data.objectives.findIndex((each) => each.key === key);
}
