import { z } from 'zod';
import { endpoint, ok } from './endpoint.ts';
import { id, nextCursor, page, time } from './fields.ts';

const tag = 'Operators';

/** What has a figure that differs: a month of a creator, a reel, a viewer, activity in the app, a withdrawal, an account of the ledger. */
export const differenceKinds = ['month', 'reel', 'viewer', 'activity', 'withdrawal', 'account'] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

/** So many differences of an audit are stored. */
export const differencesAtMost = 1000;

const storedDifference = z.object({
  _id: id,
  what: z.enum(differenceKinds),
  /** The id of the creator, reel, viewer (a hash), person or withdrawal; of an account its name. */
  about: z.string(),
  /** The person in whose account the values differ; null if they belong to no person. */
  userId: id.nullable(),
  /** Empty if the account was deleted. */
  username: z.string(),
  /** `2026-10`, if it concerns a month. */
  month: z.string().nullable(),
  figure: z.string(),
  recorded: z.string(),
  derived: z.string(),
  /** By the first audit that found it. */
  foundAt: time,
});
export type StoredDifference = z.infer<typeof storedDifference>;

export const listDifferences = endpoint({
  method: 'GET',
  path: '/api/operator/ledger/differences',
  summary: `What the last nightly audit found, what it found first at the end; the first ${differencesAtMost.toLocaleString('en')} are stored`,
  tag,
  access: 'operator',
  role: 'payer',
  limit: { perPerson: 600 },
  query: page.extend({ what: z.enum(differenceKinds).optional() }),
  response: ok({ data: z.array(storedDifference), nextCursor }),
  errors: ['bad_cursor'],
});

export const showDifference = endpoint({
  method: 'GET',
  path: '/api/operator/ledger/differences/:id',
  summary: 'One difference that the last nightly audit found',
  tag,
  access: 'operator',
  role: 'payer',
  limit: { perPerson: 600 },
  params: z.object({ id }),
  response: ok({ data: storedDifference }),
  errors: ['not_found'],
});
