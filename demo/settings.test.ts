import type { Kysely } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '#server/config.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { personIn } from '#testing/fixtures/earnings.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { standInSettings } from '#testing/servers/razorpayx.ts';
import { note } from './progress.ts';
import { withDemo } from './settings.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let db: Kysely<Tables>;
beforeAll(async () => {
  database = await freshDatabase();
  db = await openDatabase(database.url, 2);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

it('a site with the people of the demo sends no mail and pays by the file; one with people of its own does what its settings say', async () => {
  const mail = { SMTP_URL: 'smtp://127.0.0.1:25', MAIL_FROM: 'jhalak@jhalak.example' };
  const settings = { ORIGIN: 'http://localhost:3000', ...mail, ...standInSettings('http://127.0.0.1:9') };
  const on = async (JHALAK_DEMO: 'on' | 'off') => {
    const { mail, payouts } = await withDemo(db, readConfig({ ...settings, JHALAK_DEMO }));
    return [mail !== undefined, payouts.payer, payouts.razorpayx !== undefined];
  };
  const [demo, own] = [
    [false, 'file', false],
    [true, 'razorpayx', true],
  ];
  expect(await on('on')).toEqual(demo);
  expect(await on('off')).toEqual(own);
  await personIn(db, new Date());
  expect(await on('on')).toEqual(own);
  await note(db, 'begun');
  expect(await on('on')).toEqual(demo);
  expect(await on('off')).toEqual(own);
});
