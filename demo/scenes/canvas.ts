export type Color = readonly [number, number, number];

/** A picture in progress: red, green and blue per pixel, 0 to 1, rows from the top. */
export interface Canvas {
  width: number;
  height: number;
  data: Float32Array;
}

/** Draws one frame of a scene; `t` is in seconds. */
export type Draw = (canvas: Canvas, t: number) => void;

export function createCanvas(width: number, height: number): Canvas {
  return { width, height, data: new Float32Array(width * height * 3) };
}

export const mix = (a: number, b: number, share: number) => a + (b - a) * share;
export const clamp = (value: number) => (value < 0 ? 0 : Math.min(value, 1));
export function smooth(from: number, to: number, value: number): number {
  const share = clamp((value - from) / (to - from));
  return share * share * (3 - 2 * share);
}

/**
 * Colors every pixel by its position. `x` runs from -a to a and `y` from -b to b, where the shorter side is 1: shapes keep
 * their proportions in any format. `out` contains the present color, and receives the result of `paint`.
 */
export function paintPixels(canvas: Canvas, paint: (x: number, y: number, out: Float32Array) => void): void {
  const { width, height, data } = canvas;
  const half = Math.min(width, height) / 2;
  const out = new Float32Array(3);
  for (let row = 0, at = 0; row < height; row += 1) {
    const y = (row + 0.5 - height / 2) / half;
    for (let column = 0; column < width; column += 1, at += 3) {
      out[0] = data[at] ?? 0;
      out[1] = data[at + 1] ?? 0;
      out[2] = data[at + 2] ?? 0;
      paint((column + 0.5 - width / 2) / half, y, out);
      data[at] = out[0] ?? 0;
      data[at + 1] = out[1] ?? 0;
      data[at + 2] = out[2] ?? 0;
    }
  }
}

/** Fills with a vertical gradient from the top color to the bottom one, curved by `power`. */
export function gradient(canvas: Canvas, top: Color, bottom: Color, power = 1): void {
  const { width, height, data } = canvas;
  for (let row = 0, at = 0; row < height; row += 1) {
    const share = (row / height) ** power;
    for (let column = 0; column < width; column += 1, at += 3) {
      for (let part = 0; part < 3; part += 1) data[at + part] = mix(top[part] ?? 0, bottom[part] ?? 0, share);
    }
  }
}

/**
 * Blends a color over the pixels around a point. `cover` returns its opacity, from 0 to 1 and more for light, by the distance from the
 * point in the canvas's units; `add` adds light instead of covering.
 */
export function splat(
  canvas: Canvas,
  x: number,
  y: number,
  reach: number,
  color: Color,
  cover: (dx: number, dy: number) => number,
  add = false,
): void {
  const { width, height, data } = canvas;
  const half = Math.min(width, height) / 2;
  const [centerX, centerY, radius] = [x * half + width / 2, y * half + height / 2, reach * half];
  const bottom = Math.min(height - 1, Math.ceil(centerY + radius));
  const right = Math.min(width - 1, Math.ceil(centerX + radius));
  for (let row = Math.max(0, Math.floor(centerY - radius)); row <= bottom; row += 1) {
    for (let column = Math.max(0, Math.floor(centerX - radius)); column <= right; column += 1) {
      const share = cover((column + 0.5 - centerX) / half, (row + 0.5 - centerY) / half);
      if (share <= 0) continue;
      const at = (row * width + column) * 3;
      for (let part = 0; part < 3; part += 1) {
        const value = data[at + part] ?? 0;
        const target = color[part] ?? 0;
        data[at + part] = add ? value + target * share : mix(value, target, Math.min(1, share));
      }
    }
  }
}

/** A disc with a soft edge; `edge` is how soft, in the canvas's units. */
export function disc(
  canvas: Canvas,
  x: number,
  y: number,
  radius: number,
  color: Color,
  opacity = 1,
  edge = 0.008,
): void {
  splat(
    canvas,
    x,
    y,
    radius + edge,
    color,
    (dx, dy) => opacity * (1 - smooth(radius - edge, radius + edge, Math.hypot(dx, dy))),
  );
}

/** A glow around a point. */
export function glow(
  canvas: Canvas,
  x: number,
  y: number,
  radius: number,
  color: Color,
  strength: number,
): void {
  splat(
    canvas,
    x,
    y,
    radius,
    color,
    (dx, dy) => strength * (1 - smooth(0, radius, Math.hypot(dx, dy))) ** 2,
    true,
  );
}

/** A line with round ends. */
export function line(
  canvas: Canvas,
  from: readonly [number, number],
  to: readonly [number, number],
  thickness: number,
  color: Color,
  opacity = 1,
): void {
  const [x, y] = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
  const [ux, uy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(ux, uy) || 1e-6;
  splat(canvas, x, y, length / 2 + thickness * 2, color, (dx, dy) => {
    const along = Math.max(-length / 2, Math.min(length / 2, (dx * ux + dy * uy) / length));
    const away = Math.hypot(dx - (along * ux) / length, dy - (along * uy) / length);
    return opacity * (1 - smooth(thickness * 0.5, thickness, away));
  });
}

/** The canvas as 8-bit RGB, with faint noise, so that gradients show no banding. */
export function toBytes(canvas: Canvas, target: Uint8Array, seed: number): void {
  let state = (seed * 2654435761) >>> 0 || 1;
  for (let index = 0; index < canvas.data.length; index += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    const grain = ((state >>> 0) / 2 ** 32 - 0.5) * 1.6;
    const value = (canvas.data[index] ?? 0) * 255 + grain;
    target[index] = value < 0 ? 0 : Math.min(value, 255);
  }
}
