/** Smooth noise in [0, 1): the same place and seed give the same value. */
export function noise(x: number, y: number, seed = 0): number {
  const column = Math.floor(x);
  const row = Math.floor(y);
  const u = fade(x - column);
  const v = fade(y - row);
  const top = corner(column, row, seed) * (1 - u) + corner(column + 1, row, seed) * u;
  const bottom = corner(column, row + 1, seed) * (1 - u) + corner(column + 1, row + 1, seed) * u;
  return top * (1 - v) + bottom * v;
}

/** Noise of several sizes laid over each other. */
export function layeredNoise(x: number, y: number, layers: number, seed = 0): number {
  let sum = 0;
  let weight = 0.5;
  for (let layer = 0; layer < layers; layer += 1) {
    sum += noise(x, y, seed + layer) * weight;
    x = x * 2.03 + 17.1;
    y = y * 2.03 - 9.7;
    weight /= 2;
  }
  return sum;
}

const fade = (share: number) => share * share * (3 - 2 * share);

function corner(column: number, row: number, seed: number): number {
  let mixed = Math.imul(column, 374761393) + Math.imul(row, 668265263) + Math.imul(seed, 1274126177);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 1103515245);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}
