import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import type { Due } from '#contract/today.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import type { WorkKind } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { replaceSetting } from '#server/platform/settings.ts';
import { openWorld } from '#testing/access/fixtures.ts';
import { explained } from '#testing/fixtures/query-plans.ts';
import { changeWorks } from '#testing/fixtures/works.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { call, startTestServer } from '#testing/servers/test-server.ts';
import { logAct } from '../audit-log/audit-log.ts';
import { countReviewRequests } from '../copies/decisions.ts';

it('operators read what waits: what has a deadline first, then the oldest; nothing that was decided', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.close());
  const world = await openWorld(server);
  const { db } = server;
  const headers = { authorization: `Bearer ${world.tokens.operator}` };
  const today = async (): Promise<Due[]> =>
    (await call(server, { url: '/api/operator/today', headers })).data;
  const waiting = async () => Object.fromEntries((await today()).map(({ what, count }) => [what, count]));
  // The world has a reel that could not be processed. Neither an audit nor a backup was ever made.
  expect(await today()).toEqual([
    { what: 'audit', count: 0, at: null, hasDeadline: false },
    { what: 'backup', count: 0, at: null, hasDeadline: false },
    { what: 'media', count: 1, at: expect.any(String), hasDeadline: false },
  ]);

  const audited = (at: Date, differences: number) =>
    replaceSetting(
      db,
      'last audit',
      JSON.stringify({ at: at.toISOString(), months: 1, withdrawals: 1, differences }),
    );
  const now = new Date();
  await audited(now, 0);
  await inTransaction(db, (trx) =>
    logAct(
      trx,
      { id: null, name: 'root' },
      { act: 'site.backup', target: { kind: 'site', id: '/backup/new' } },
      now,
    ),
  );
  expect(await waiting()).toEqual({ media: 1 });

  const copyOf = async (isHeld: boolean) => {
    const [work_id, original_id] = [await world.post(), await world.post()];
    const kinds: { kind: WorkKind; original_kind: WorkKind } = { kind: 'post', original_kind: 'post' };
    if (isHeld)
      await changeWorks(db, (trx) =>
        trx
          .updateTable('posts')
          .set({ taken_down_at: now, taken_down_as: 'waiting' })
          .where('id', '=', work_id)
          .execute(),
      );
    await db
      .insertInto('copies')
      .values({ work_id, original_id, ...kinds, creator_id: world.owner.id, found_at: now, asked_at: now })
      .execute();
  };
  const report = await world.report();
  await world.batch();
  await copyOf(true);
  await copyOf(false);
  const all = await today();
  expect(await waiting()).toEqual({ reports: 1, held: 1, copies: 1, withdrawals: 1, batches: 1, media: 1 });
  expect(all.map(({ hasDeadline }) => hasDeadline)).toEqual([true, ...all.slice(1).map(() => false)]);
  const others = all.slice(1).map(({ at }) => at);
  expect(others).toEqual(others.toSorted());

  await call(server, {
    method: 'POST',
    url: `/api/operator/reports/close/${report}`,
    headers,
    payload: { reason: 'Harmless' },
  });
  await db.updateTable('copies').set({ decided_at: now, verdict: 'own', reason: 'Other words' }).execute();
  await audited(new Date(now.getTime() - 26 * 3_600_000), 0);
  expect(await waiting()).toEqual({ audit: 0, withdrawals: 1, batches: 1, media: 1 });
  await audited(now, 2);
  expect(await waiting()).toEqual({ audit: 2, withdrawals: 1, batches: 1, media: 1 });
});

it('works that wait for a decision are counted by indexes, however many works there are', async () => {
  const database = await freshDatabase();
  onTestFinished(() => database.drop());
  const filling = await openDatabase(database.url, 1);
  onTestFinished(() => filling.destroy());
  await changeWorks(filling, (trx) =>
    sql`insert into posts (id, creator_id, media_key, caption, description, sha256, placeholder, width, height, widths, published_at)
      select gen_random_uuid(), gen_random_uuid(), n::text, '', '', n::text::bytea, '', 1, 1, '{}', now()
      from generate_series(1, 20000) n`.execute(trx),
  );
  await sql`insert into copies (work_id, creator_id, kind, original_id, original_kind, found_at, asked_at)
    select id, creator_id, 'post', id, 'post', now(), now() from posts limit 500`.execute(filling);
  for (const table of ['posts', 'copies']) await sql`analyze ${sql.table(table)}`.execute(filling);
  const { db, plans } = explained(database.url);
  expect((await countReviewRequests(db)).copies.count).toBe(500);
  const counted = await plans();
  expect(counted).toHaveLength(2);
  for (const plan of counted) expect(plan).not.toMatch(/Seq Scan on posts/);
});
