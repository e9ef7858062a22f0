import { z } from 'zod';
import { invalid } from './invalid.ts';
import { monthKey } from './month.ts';

/** A JPEG for link previews, with its size in pixels; of a reel, photo or story also one that fills the shape of a preview. */
export const card = z.object({
  url: z.string(),
  width: z.int(),
  height: z.int(),
  /** The whole picture on 1200 × 630 pixels, before a blurred one of itself. */
  wideUrl: z.string().optional(),
});

/** An id within a longer text, as a regular expression. */
export const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** A UUIDv7 created by the server. */
export const id = z.uuid({ error: invalid('id') });

/** A random id that a browser stores: visitors of one network and browser version are different viewers by it. */
export const viewerId = z.string().min(16).max(64);

/** ISO 8601 UTC. */
export const time = z.iso.datetime();

/** Keyset paging (decisions §2): default 24, at most 100; the cursor is opaque. */
export const page = z.object({
  limit: z.coerce
    .number({ error: invalid('limit') })
    .int()
    .min(1)
    .max(100)
    .default(24)
    .describe('How many at most'),
  cursor: z.string().max(200).optional().describe('nextCursor of the page before'),
});
export type Page = z.output<typeof page>;

export const nextCursor = z.string().nullable();

/** A page of a list ends early, with a `nextCursor`, before its JSON is larger than this (decisions §2). */
export const pageBytes = 400_000;

/**
 * Text written by people: any Unicode except NUL, which PostgreSQL cannot store. `missing` is the message if it is
 * missing.
 */
export function text(max: number, missing = invalid('text')) {
  return z
    .string({ error: missing })
    .max(max, { error: invalid('too_long', { most: max }) })
    .refine((value) => !value.includes('\u0000') && value.isWellFormed(), {
      error: invalid('character'),
    });
}

/** A required text, trimmed; `missing` is the error message if it is empty. */
export const requiredText = (max: number, missing: string) =>
  text(max, missing)
    .trim()
    .refine((said) => said !== '', { error: missing });

/** A month in a request: `2026-10`, or the label of a history record. */
export const monthField = z
  .string({ error: invalid('month_missing') })
  .max(40, { error: invalid('month') })
  .refine((text) => monthKey(text) !== undefined, {
    error: invalid('month'),
  });

/** A day of the business time zone: `2026-10-31`. */
export const dayField = z
  .string({ error: invalid('day') })
  .max(10, { error: invalid('day') })
  .refine((text) => /^[12]\d{3}-/.test(text) && z.iso.date().safeParse(text).success, {
    error: invalid('day'),
  });
