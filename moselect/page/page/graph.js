// A model as a graph of ONNX operators, run on some rows at once. A tensor is its shape and values.

const upTo = (count) => Array.from({ length: count }, (_, i) => i);
const sumOf = (values) => values.reduce((a, b) => a + b, 0);
const tensor = (shape, values) => ({ shape, values: Array.from(values) });
const sizeOf = (shape) => shape.reduce((a, b) => a * b, 1);

// Elementwise function of tensors, with broadcasting of sides of size 1.
const each = (f) => (_, ...tensors) => {
  const rank = Math.max(...tensors.map(({ shape }) => shape.length));
  const sides = tensors.map(({ shape }) => [...Array(rank - shape.length).fill(1), ...shape]);
  const shape = upTo(rank).map((d) => Math.max(...sides.map((side) => side[d])));
  const size = sizeOf(shape);
  const readers = tensors.map(({ values }, t) => {
    if (values.length === 1) return () => values[0];
    if (values.length === size) return (i) => values[i];
    const stepOf = (d) => (sides[t][d] === 1 ? 0 : sizeOf(sides[t].slice(d + 1)));
    const places = shape.map((length, d) => [sizeOf(shape.slice(d + 1)), length, stepOf(d)]);
    return (i) => values[places.reduce((sum, [after, length, step]) => sum + (Math.floor(i / after) % length) * step, 0)];
  });
  return tensor(shape, upTo(size).map((i) => f(...readers.map((read) => read(i)))));
};

// Reduction along one side, which is kept with length 1 or dropped.
const along = (f) => ({ axis, keepdims = 1 }, { shape, values }, sides) => {
  const side = axis ?? sides.values[0];
  const [before, length, after] = [sizeOf(shape.slice(0, side)), shape[side], sizeOf(shape.slice(side + 1))];
  const found = upTo(before * after).map((i) => {
    const start = Math.floor(i / after) * length * after + (i % after);
    return f(upTo(length).map((k) => values[start + k * after]));
  });
  return tensor(keepdims ? shape.with(side, 1) : shape.toSpliced(side, 1), found);
};

const sigmoid = (x) => 1 / (1 + Math.exp(-x));
const OPERATORS = {
  Add: each((a, b) => a + b), Sub: each((a, b) => a - b), Mul: each((a, b) => a * b), Div: each((a, b) => a / b),
  Min: each(Math.min), Max: each(Math.max), Exp: each(Math.exp), Log: each(Math.log), Floor: each(Math.floor),
  Sigmoid: each(sigmoid),
  Greater: each((a, b) => a > b), Less: each((a, b) => a < b),
  IsNaN: each(Number.isNaN),
  Where: each((condition, yes, no) => (condition ? yes : no)), StringConcat: each((a, b) => a + b),
  ReduceSum: along(sumOf),
  ReduceMax: along((values) => Math.max(...values)), ReduceMin: along((values) => Math.min(...values)),
  Cast: ({ to }, { shape, values }) => tensor(shape, values.map(to === 1 ? Math.fround : to === 7 ? (x) => Math.trunc(Number(x)) : Number)),
  Reshape: (_, { values }, { values: shape }) => tensor(shape.map((s) => (s < 0 ? -values.length / sizeOf(shape) : s)), values),
  LabelEncoder({ keys_strings: keys, values_int64s: codes, default_int64: other }, { shape, values }) {
    return tensor(shape, values.map((text) => codes[keys.indexOf(text)] ?? other));
  },
  Softmax(_, x) {
    const powers = OPERATORS.Exp(_, OPERATORS.Sub(_, x, OPERATORS.ReduceMax({ axis: 1 }, x)));
    return OPERATORS.Div(_, powers, OPERATORS.ReduceSum({ axis: 1 }, powers));
  },
  MatMul(_, { shape: [count, k], values: a }, { shape: [, m], values: b }) {
    const cell = (i, c) => sumOf(upTo(k).map((j) => a[i * k + j] * b[j * m + c]));
    return tensor([count, m], upTo(count * m).map((at) => cell(Math.floor(at / m), at % m)));
  },
  Gather({ axis = 0 }, { shape, values }, at) {
    const [length, width] = [shape[axis], sizeOf(shape.slice(axis + 1))];
    const found = upTo(sizeOf(shape.slice(0, axis))).flatMap((i) => at.values.flatMap((k) => (
      values.slice((i * length + k) * width, (i * length + k + 1) * width)
    )));
    return tensor([...shape.slice(0, axis), ...at.shape, ...shape.slice(axis + 1)], found);
  },
  Concat(_, ...parts) {
    const rows = upTo(parts[0].shape[0]);
    const found = rows.flatMap((i) => parts.flatMap(({ shape: [, k], values }) => values.slice(i * k, (i + 1) * k)));
    return tensor([rows.length, sumOf(parts.map(({ shape }) => shape[1]))], found);
  },
  TreeEnsemble({ n_targets: width }, { shape: [count, k], values }, ...arrays) {
    const [roots, features, splits, yes, no, sets, , targets, leaves] = arrays.map((array) => array.values);
    const { shape: [, categories], values: members } = arrays[6];
    const found = new Float64Array(count * width);
    for (let i = 0; i < count; i++) {
      for (let at of roots) {
        while (at >= 0) {
          const x = values[i * k + features[at]];
          const isMember = x >= 0 && x < categories && members[sets[at] * categories + x] === 1;
          const isTrue = sets[at] < 0 ? x <= splits[at] : isMember;
          at = isTrue ? yes[at] : no[at];
        }
        found[i * width + targets[-1 - at]] += leaves[-1 - at];
      }
    }
    return tensor([count, width], found);
  },
};

// Make a graph that was read ready to run: JSON has no sign for some numbers.
function readyGraph(graph) {
  for (const [name, [shape, values, isText]] of Object.entries(graph.constants)) {
    graph.constants[name] = tensor(shape, isText ? values : values.map(Number));
  }
}

// Compute the wanted outputs from inputs by column, each with a value for every row.
function runGraph({ nodes, constants, inputs, outputs }, columns, wanted) {
  const known = { ...constants };
  inputs.forEach((name, i) => { known[`input_${i}`] = tensor([columns[name].length, 1], columns[name]); });
  const makers = Object.fromEntries(nodes.map((node) => [node[2], node]));
  const valueOf = (name) => known[name] ??= made(...makers[name]);
  const made = (operator, takes, _, settings) => OPERATORS[operator](settings, ...takes.map(valueOf));
  return wanted.map((name) => valueOf(outputs[name]));
}
