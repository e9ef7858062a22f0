import { randomOf } from '#demo/random.ts';

/** Whole numbers below a bound, the same for the same seed. */
export function randomFrom(seed: number): (below: number) => number {
  const random = randomOf(seed);
  return (below) => (random() * 2 ** 32) % below;
}
