import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { UnfinishedReel } from '#contract/media.ts';
import { contextOn } from '#testing/context.ts';
import { explained } from '#testing/fixtures/query-plans.ts';
import { failedReel, freshClip } from '#testing/fixtures/reels.ts';
import { changeWorks } from '#testing/fixtures/works.ts';
import { makeOperator } from '#testing/servers/operators.ts';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { giveUpReel } from '../reels/processing.ts';
import { listUnfinished } from '../reels/unfinished.ts';
import { sweep } from '../stored-files/sweeper.ts';

const day = 24 * 60 * 60 * 1000;

let server: TestServer;
let asha: Person;
let ravi: Person;
beforeAll(async () => {
  server = await startTestServer();
  [asha, ravi] = await Promise.all([signUpSomebody(server, 'Asha'), signUpSomebody(server, 'Ravi')]);
  await makeOperator(server, ravi.id);
});
afterAll(() => server.close());

const ask = async (path: string, method: 'GET' | 'POST' = 'GET', who: Person = ravi) =>
  await server.inject({
    ...{ method, url: `/api/operator/media${path}`, headers: who.headers },
    ...(method === 'POST' ? { payload: { reason: 'The disk was full' } } : {}),
  });
const row = (id: string) =>
  server.db
    .selectFrom('reels')
    .innerJoin('stored_files', 'stored_files.key', 'media_key')
    .select(['media_key as key', 'reels.state', 'stored_files.state as file', 'failure'])
    .where('reels.id', '=', id)
    .executeTakeFirstOrThrow();

describe('reels that are not ready', () => {
  it('are listed by their state, oldest first, page after page', async () => {
    const ids: string[] = [];
    for (const nth of [1, 2, 3])
      ids.push(await failedReel(server.db, asha.id, new Date(Date.UTC(2026, 0, nth))));
    const seen: string[] = [];
    let cursor: string | null = '';
    do {
      const page: { data: UnfinishedReel[]; nextCursor: string | null } = (
        await ask(`?limit=2${cursor ? `&cursor=${cursor}` : ''}`)
      ).json();
      seen.push(...page.data.map(({ _id }) => _id));
      cursor = page.nextCursor;
    } while (cursor);
    expect(seen).toEqual(ids);
    expect((await ask('?state=processing')).json().data).toEqual([]);
    expect((await ask(`/${ids[0]}`)).json().data).toMatchObject({
      ...{ _id: ids[0], state: 'failed', username: asha.username, canRetry: true, history: [] },
      failureReason: { code: 'processing_failed', params: { what: 'ours' } },
    });
    await server.db.deleteFrom('reels').execute();
  });

  it.each([
    ['?state=ready', 'GET', 400, 'state is failed or processing.'],
    ['/018f0000-0000-7000-8005-000000000000', 'GET', 404, 'This reel was not found.'],
    ['/retry/018f0000-0000-7000-8005-000000000000', 'POST', 404, 'This reel was not found.'],
  ] as const)('are not found by %s, with one sentence', async (path, method, status, sentence) => {
    const answer = await ask(path, method);
    expect([answer.statusCode, answer.json().error]).toEqual([status, sentence]);
  });

  it('are 404 without the operator role, also for their creator', async () => {
    const id = await failedReel(server.db, asha.id);
    expect((await ask('', 'GET', asha)).statusCode).toBe(404);
    expect((await ask(`/${id}`, 'GET', asha)).statusCode).toBe(404);
    expect((await ask(`/retry/${id}`, 'POST', asha)).statusCode).toBe(404);
  });
});

describe('a reel that failed on the side of the server', () => {
  const received = (key: string) => join(server.dataDir, 'inbox', key);
  /** In processing, and then given up by the queue. */
  const givenUp = async () => {
    const id = await failedReel(server.db, asha.id);
    const { key } = await row(id);
    await writeFile(received(key), await freshClip());
    await changeWorks(server.db, (trx) =>
      trx.updateTable('reels').set({ state: 'processing' }).where('id', '=', id).execute(),
    );
    await server.db.updateTable('stored_files').set({ state: 'in_use' }).where('key', '=', key).execute();
    await giveUpReel({ ...contextOn(server.db), storage: server.storage }, id);
    return { id, key };
  };

  it('keeps its file, and is public once an operator has it processed again', async () => {
    const { id, key } = await givenUp();
    expect(await row(id)).toMatchObject({ state: 'failed', file: 'withheld' });
    expect(existsSync(received(key))).toBe(true);
    const [one, other] = await Promise.all([ask(`/retry/${id}`, 'POST'), ask(`/retry/${id}`, 'POST')]);
    expect([one.statusCode, other.statusCode].sort()).toEqual([200, 409]);
    await expect.poll(async () => (await row(id)).state).toBe('ready');
    expect(await row(id)).toMatchObject({ file: 'in_use', failure: null });
    expect((await ask(`/retry/${id}`, 'POST')).json().error).toBe(
      'This reel is processed already, or it is public.',
    );
    const log = await server.inject({ url: `/api/operator/log?about=reel:${id}`, headers: ravi.headers });
    expect(log.json().data).toMatchObject([
      { act: 'reel.retry', operator: ravi.username, details: { reason: 'The disk was full' } },
    ]);
  });

  it('loses its file after seven days, and cannot be processed again then', async () => {
    const { id, key } = await givenUp();
    const sweepAt = async (age: number) => {
      const clock = () => new Date(Date.now() + age);
      await sweep({ db: server.db, storage: server.storage, clock });
    };
    await sweepAt(7 * day - 60_000);
    expect(existsSync(received(key))).toBe(true);
    await sweepAt(7 * day + 60_000);
    expect(existsSync(received(key))).toBe(false);
    expect((await ask(`/${id}`)).json().data.canRetry).toBe(false);
    const refused = await ask(`/retry/${id}`, 'POST');
    expect([refused.statusCode, refused.json().error]).toEqual([
      409,
      'The file of this reel is no longer here. Its creator has to upload it again.',
    ]);
  });
});

// A cluster only shows the plan of one shard, or of a part before the parts that it reads.
it.skipIf(inject('nodes').length > 1)(
  'the first page of each state comes from an index, of 100,000 reels',
  async () => {
    await changeWorks(server.db, (trx) =>
      sql`insert into reels (id, creator_id, media_key, caption, credit, categories, state, sha256, uploaded_at)
      select gen_random_uuid(), ${asha.id}, 'k' || n, '', '', '{}',
        case when n % 2003 = 0 then 'failed' when n % 2011 = 0 then 'processing' else 'ready' end, sha256(n::text::bytea),
        now() + n * interval '1 s'
      from generate_series(1, 100000) n`.execute(trx),
    );
    await sql`analyze reels`.execute(server.db);
    const { db, plans } = explained(server.url);
    for (const state of ['failed', 'processing'] as const)
      await listUnfinished(contextOn(db), { state, limit: 24 });
    const [failed, , processing] = await plans();
    expect(failed).toContain('reels_failed');
    expect(processing).toContain('reels_in_processing');
  },
);
