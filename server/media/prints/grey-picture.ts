/** A grey picture whose values can be read between its pixels. */
export interface GreyPicture {
  width: number;
  height: number;
  values: Float32Array;
}

/** The value at a point in pixels. Outside of the picture its edge is repeated. */
export function valueAt({ width, height, values }: GreyPicture, x: number, y: number): number {
  const [left, right, restX] = between(x, width);
  const [top, bottom, restY] = between(y, height);
  const value = (column: number, row: number) => values[row * width + column] ?? 0;
  const above = value(left, top) * (1 - restX) + value(right, top) * restX;
  const below = value(left, bottom) * (1 - restX) + value(right, bottom) * restX;
  return above * (1 - restY) + below * restY;
}

function between(position: number, length: number): [number, number, number] {
  const inside = Math.min(length - 1, Math.max(0, position));
  const first = Math.floor(inside);
  return [first, Math.min(length - 1, first + 1), inside - first];
}

/** Blurs by a Gaussian, whose standard deviation is in pixels. */
export function blurred({ width, height, values }: GreyPicture, deviation: number): GreyPicture {
  const kernel = kernelOf(deviation);
  const across = blurLines(values, { length: width, step: 1, lines: height, lineStep: width }, kernel);
  const both = blurLines(across, { length: height, step: width, lines: width, lineStep: 1 }, kernel);
  return { width, height, values: both };
}

function kernelOf(deviation: number): Float32Array {
  const radius = Math.ceil(3 * deviation);
  const weights = Float32Array.from({ length: 2 * radius + 1 }, (_, index) =>
    Math.exp(-((index - radius) ** 2) / (2 * deviation ** 2)),
  );
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

interface Lines {
  length: number;
  step: number;
  lines: number;
  lineStep: number;
}

function blurLines(
  values: Float32Array,
  { length, step, lines, lineStep }: Lines,
  kernel: Float32Array,
): Float32Array {
  const radius = (kernel.length - 1) / 2;
  const made = new Float32Array(values.length);
  const padded = new Float32Array(length + 2 * radius);
  for (let line = 0; line < lines; line += 1) {
    const start = line * lineStep;
    for (let index = 0; index < padded.length; index += 1)
      padded[index] = values[start + Math.min(length - 1, Math.max(0, index - radius)) * step] ?? 0;
    for (let index = 0; index < length; index += 1) {
      let sum = 0;
      for (let tap = 0; tap < kernel.length; tap += 1) sum += (padded[index + tap] ?? 0) * (kernel[tap] ?? 0);
      made[start + index * step] = sum;
    }
  }
  return made;
}

/** Every second pixel of every second row. */
export function halved({ width, height, values }: GreyPicture): GreyPicture {
  const [columns, rows] = [Math.floor(width / 2), Math.floor(height / 2)];
  const made = new Float32Array(columns * rows);
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1)
      made[row * columns + column] = values[2 * row * width + 2 * column] ?? 0;
  return { width: columns, height: rows, values: made };
}
