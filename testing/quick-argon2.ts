import { hash as carefully, type Options } from '@node-rs/argon2/index.js';

export { verify } from '@node-rs/argon2/index.js';

/** Replaces the library in tests (vitest.config.ts): the same kind of hash, with a hundredth of the work. */
export function hash(password: string, options?: Options): Promise<string> {
  return carefully(password, { memoryCost: 64, timeCost: 1, ...options });
}
