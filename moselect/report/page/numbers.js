// Numbers as people read them.

import { data, front } from "./data.js";

export const withMinus = (text) => text.replaceAll("-", "−");

export function short(value, digits = 4) {
  return withMinus(String(Number(value.toPrecision(digits))));
}

export function grouped(count) {
  return withMinus(count.toLocaleString("en"));
}

export function counted(count, what) {
  return `${grouped(count)} ${count === 1 ? what : `${what}s`}`;
}

// Names as a sentence lists them.
export function joined(names) {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

// A difference, as `short`, `measured` and `grouped` write it.
export function signed(text) {
  if (!/[1-9]/.test(text)) return "0";
  return text.startsWith("−") ? text : `+${text}`;
}

const UPPER = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

// The power of ten in which an objective is shown: VUS of 12 classes is a few millionths.
export const powers = data.objectives.map((_, j) => {
  let largest = 0;
  for (let i = 0; i < front.k; i++) largest = Math.max(largest, Math.abs(front.objectives[i * front.m + j]));
  return largest > 0 && largest < 0.01 ? Math.floor(Math.log10(largest)) : 0;
});

export const titles = data.objectives.map((each, j) => (
  powers[j] === 0 ? each.words : `${each.words} (10${[...String(powers[j])].map((c) => UPPER[c]).join("")})`
));

// The value of an objective in its power of ten.
export function inUnits(j, value) {
  return value / 10 ** powers[j];
}

export function fromUnits(j, value) {
  return value * 10 ** powers[j];
}

export function measured(j, value) {
  const scaled = inUnits(j, value);
  return scaled !== 0 && Math.abs(scaled) < 0.0005 ? short(scaled, 2) : withMinus(scaled.toFixed(4));
}

// A cost, with as many digits in a column as in the others.
export function cost(value) {
  return value >= 1000 ? short(value, 5) : value.toPrecision(4);
}
