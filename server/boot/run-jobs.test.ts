import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { freshClip, sendReel } from '#testing/fixtures/reels.ts';
import { call, signUpSomebody, startTestServer } from '#testing/servers/test-server.ts';
import { readConfig } from '../config.ts';
import type { Jobs } from '../platform/jobs.ts';
import { startWork } from './run-jobs.ts';

it('a failing step of the hourly job is logged, and the others run: the next month’s key is created', async () => {
  const server = await startTestServer({ ROLE: 'web', DATABASE_URL: 'postgres://unused' });
  try {
    server.now.value = new Date('2026-11-30T12:00:00Z');
    const sweeps: (() => Promise<void>)[] = [];
    const jobs: Jobs = {
      ...server.jobs,
      async work(kind, _atOnce, run) {
        const attempt = { data: {} as never, signal: new AbortController().signal };
        if (kind.name === 'sweep') sweeps.push(() => run(attempt));
      },
      repeat: async () => undefined,
    };
    const log: string[] = [];
    await startWork({
      ...server.context,
      config: readConfig({}),
      jobs,
      schedules: true,
      store: server.storage,
      logger: pino({ level: 'error' }, { write: (line) => void log.push(line) }),
      cache: { expireAll: () => undefined },
    });
    await sql`alter table password_guesses rename to broken_guesses`.execute(server.db);
    await sql`
      insert into months (month, views_per_creator, views_in_all, rules, closed_at, counted_at)
      values ('2020-01', 200, 20000, '{}', now(), now())`.execute(server.db);
    await expect(sweeps[0]?.()).rejects.toThrow('password_guesses');
    expect(log).toHaveLength(1);
    expect(log[0]).toContain('deleteOldGuesses');
    // A later step ran: single views of this month are deleted.
    const old = await server.db.selectFrom('months').select('views_deleted_at').executeTakeFirstOrThrow();
    expect(old.views_deleted_at).not.toBeNull();
  } finally {
    await server.close();
  }
});

it('a try to process a reel evicts cache entries only if it has made the reel public', async () => {
  const server = await startTestServer({ ROLE: 'web', DATABASE_URL: 'postgres://unused' });
  try {
    const asha = await signUpSomebody(server);
    const deleted = await sendReel(server, asha, await freshClip());
    await call(server, {
      method: 'DELETE',
      url: `/api/reel/deleteReel/${deleted.id}`,
      headers: asha.headers,
    });
    // Its file was damaged after the upload.
    const broken = await sendReel(server, asha, await freshClip());
    await writeFile(join(server.dataDir, 'inbox', broken.key), 'no video');
    const whole = await sendReel(server, asha, await freshClip());
    let evictions = 0;
    const done = new Map<string, number>();
    const jobs: Jobs = {
      ...server.jobs,
      work: async (kind, atOnce, run, giveUp) => {
        await server.jobs.work(
          kind,
          atOnce,
          async (attempt) => {
            const before = evictions;
            await run(attempt);
            if ('reelId' in attempt.data) done.set(String(attempt.data.reelId), evictions - before);
          },
          giveUp,
        );
      },
    };
    const config = { ...readConfig({}), mediaWorkers: 1 };
    const cache = {
      expireAll() {
        evictions += 1;
      },
    };
    await startWork({
      ...server.context,
      config,
      jobs,
      schedules: true,
      store: server.storage,
      logger: pino({ level: 'silent' }),
      cache,
    });
    await expect.poll(() => done.get(whole.id)).toBe(1);
    await expect
      .poll(() => [...done.entries()])
      .toEqual(
        expect.arrayContaining([
          [deleted.id, 0],
          [broken.id, 0],
        ]),
      );
  } finally {
    await server.close();
  }
});
