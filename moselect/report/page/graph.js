// A model as a graph of ONNX operators, run on some rows at once. A tensor is its shape and values.

const sumOf = (values) => values.reduce((a, b) => a + b, 0);
const tensor = (shape, values) => ({ shape, values });
const sizeOf = (shape) => shape.reduce((a, b) => a * b, 1);

// A function of the values of tensors, of which those of size 1 along a side count all along it.
const each = (f) => (_, ...tensors) => {
  const largest = tensors.reduce((a, b) => (b.values.length > a.values.length || b.shape.length > a.shape.length ? b : a));
  if (tensors.every(({ values }) => values.length === 1 || values.length === largest.values.length)) {
    const single = tensors.map(({ values }) => values.length === 1);
    return tensor(largest.shape, Array.from(largest.values, (__, i) => f(...tensors.map(({ values }, t) => values[single[t] ? 0 : i]))));
  }
  const rank = Math.max(...tensors.map(({ shape }) => shape.length));
  const sides = tensors.map(({ shape }) => [...Array(rank - shape.length).fill(1), ...shape]);
  const shape = Array.from({ length: rank }, (__, d) => Math.max(...sides.map((side) => side[d])));
  const steps = sides.map((side) => side.map((length, d) => (length === 1 ? 0 : sizeOf(side.slice(d + 1)))));
  const [at, places] = [Array(rank).fill(0), tensors.map(() => 0)];
  const values = Array.from({ length: sizeOf(shape) }, () => {
    const value = f(...tensors.map((one, t) => one.values[places[t]]));
    for (let d = rank - 1; d >= 0; d--) {
      at[d] += 1;
      steps.forEach((step, t) => { places[t] += step[d]; });
      if (at[d] < shape[d]) break;
      steps.forEach((step, t) => { places[t] -= step[d] * shape[d]; });
      at[d] = 0;
    }
    return value;
  });
  return tensor(shape, values);
};

// A function of the values along one side, which becomes 1 long or goes.
const along = (f) => ({ axis, keepdims = 1 }, { shape, values }, sides) => {
  const side = axis ?? sides.values[0];
  const [before, length, after] = [sizeOf(shape.slice(0, side)), shape[side], sizeOf(shape.slice(side + 1))];
  const found = Array.from({ length: before * after }, (_, i) => {
    const start = Math.floor(i / after) * length * after + (i % after);
    return f(Array.from({ length }, (__, k) => values[start + k * after]));
  });
  return tensor(keepdims ? shape.with(side, 1) : shape.toSpliced(side, 1), found);
};

const sigmoid = (x) => 1 / (1 + Math.exp(-x));
const OPERATORS = {
  Add: each((a, b) => a + b), Sub: each((a, b) => a - b), Mul: each((a, b) => a * b), Div: each((a, b) => a / b),
  Min: each(Math.min), Max: each(Math.max), Exp: each(Math.exp), Log: each(Math.log), Floor: each(Math.floor),
  Sigmoid: each(sigmoid),
  Greater: each((a, b) => a > b), GreaterOrEqual: each((a, b) => a >= b), Less: each((a, b) => a < b),
  IsNaN: each(Number.isNaN),
  Where: each((condition, yes, no) => (condition ? yes : no)), StringConcat: each((a, b) => a + b),
  ReduceSum: along(sumOf),
  ReduceMax: along((values) => Math.max(...values)), ReduceMin: along((values) => Math.min(...values)),
  Cast: ({ to }, { shape, values }) => tensor(shape, Array.from(values, to === 1 ? Math.fround : to === 7 ? (x) => Math.trunc(Number(x)) : Number)),
  Reshape: (_, { values }, { values: shape }) => tensor(shape.map((s) => (s < 0 ? -values.length / sizeOf(shape) : s)), values),
  LabelEncoder({ keys_strings: keys, values_int64s: codes, default_int64: other }, { shape, values }) {
    const known = new Map(keys.map((key, k) => [key, codes[k]]));
    return tensor(shape, values.map((text) => known.get(text) ?? other));
  },
  Softmax(_, { shape: [count, k], values }) {
    const found = Array.from({ length: count }, (__, i) => {
      const row = values.slice(i * k, (i + 1) * k);
      const powers = row.map((x) => Math.exp(x - Math.max(...row)));
      return powers.map((power) => power / sumOf(powers));
    });
    return tensor([count, k], found.flat());
  },
  MatMul(_, { shape: [count, k], values: a }, { shape: [, m], values: b }) {
    const found = new Float64Array(count * m);
    for (let i = 0; i < count; i++) for (let j = 0; j < k; j++) for (let c = 0; c < m; c++) found[i * m + c] += a[i * k + j] * b[j * m + c];
    return tensor([count, m], found);
  },
  Gather({ axis = 0 }, { shape, values }, at) {
    const width = sizeOf(shape.slice(axis + 1));
    const found = Array.from({ length: sizeOf(shape.slice(0, axis)) }, (_, i) => Array.from(at.values, (k) => (
      width === 1 ? values[i * shape[axis] + k] : [...values.slice((i * shape[axis] + k) * width, (i * shape[axis] + k + 1) * width)]
    )));
    return tensor([...shape.slice(0, axis), ...at.shape, ...shape.slice(axis + 1)], found.flat(2));
  },
  Concat(_, ...parts) {
    const rows = Array.from({ length: parts[0].shape[0] }, (__, i) => parts.map(({ shape: [, k], values }) => values.slice(i * k, (i + 1) * k)));
    return tensor([rows.length, sumOf(parts.map(({ shape }) => shape[1]))], rows.flatMap((row) => row.flatMap((part) => [...part])));
  },
  TreeEnsemble(trees, { shape: [count, k], values }) {
    const found = new Float64Array(count * trees.n_targets);
    for (let i = 0; i < count; i++) {
      for (const root of trees.tree_roots) {
        let [at, leaf] = [root, 0];
        while (!leaf) {
          const x = values[i * k + trees.nodes_featureids[at]];
          const side = (trees.members[at] ? trees.members[at].has(x) : x <= trees.nodes_splits[at]) ? "true" : "false";
          [at, leaf] = [trees[`nodes_${side}nodeids`][at], trees[`nodes_${side}leafs`][at]];
        }
        found[i * trees.n_targets + trees.leaf_targetids[at]] += trees.leaf_weights[at];
      }
    }
    return tensor([count, trees.n_targets], found);
  },
};

// Make a graph that was read ready to run: numbers that JSON has no sign for, and sets of categories.
function readyGraph(graph) {
  for (const [name, [shape, values, isText]] of Object.entries(graph.constants)) {
    graph.constants[name] = tensor(shape, isText ? values : values.map(Number));
  }
  for (const [operator, , , settings] of graph.nodes) {
    if (operator !== "TreeEnsemble") continue;
    const sets = [[]];
    for (const member of settings.membership_values ?? []) {
      if (member === "NaN") sets.push([]);
      else sets.at(-1).push(member);
    }
    settings.members = settings.nodes_modes.map((mode) => (mode > 0 ? new Set(sets.shift()) : null));
  }
  return graph;
}

// The outputs that are wanted, of inputs by column, each with a value for every row.
function runGraph({ nodes, constants, inputs, outputs }, columns, wanted) {
  const needed = new Set(wanted.map((name) => outputs[name]));
  const steps = nodes.toReversed().filter(([, takes, result]) => {
    if (needed.has(result)) for (const name of takes) needed.add(name);
    return needed.has(result);
  }).reverse();
  const known = new Map(Object.entries(constants));
  inputs.forEach((name, i) => known.set(`input_${i}`, tensor([columns[name].length, 1], columns[name])));
  for (const [operator, takes, result, settings] of steps) {
    known.set(result, OPERATORS[operator](settings, ...takes.map((name) => known.get(name))));
  }
  return wanted.map((name) => known.get(outputs[name]));
}
