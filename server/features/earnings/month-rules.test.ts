import type { Kysely } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { openDatabase } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { noOutbox } from '#server/platform/outbox.ts';
import { contextOn } from '#testing/context.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { mailOfMonth, openMailOfMonths } from './month-rules.ts';

let db: Kysely<Tables>;
beforeEach(async () => {
  const database = await freshDatabase();
  db = await openDatabase(database.url, 4);
  return async () => {
    await db.destroy();
    await database.drop();
  };
});

/** A server starts in November, with or without mail. */
const start = (isOn: boolean) =>
  openMailOfMonths(
    contextOn(db, { clock: () => new Date('2026-11-20T06:30:00Z'), outbox: { ...noOutbox, isOn } }),
  );

it('whether only verified accounts count stays for a month as it was first needed, and changes with the next one', async () => {
  await mailOfMonth(db, '2026-11', false);
  const hasMailIn = await start(true);
  expect([hasMailIn('2026-11'), hasMailIn('2026-12')]).toEqual([false, true]);
  expect((await start(false))('2026-11')).toBe(false);
});
