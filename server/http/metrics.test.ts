import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendContact } from '#contract/contact.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { contextAt, contextOn } from '#testing/context.ts';
import { publishedReel } from '#testing/fixtures/earnings.ts';
import { figureIn } from '#testing/metric-value.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { dataFolder, startProgram } from '#testing/servers/program.ts';
import {
  call,
  multipart,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { auditLedger, runAudit } from '../features/earnings/audit.ts';
import { openDatabase } from '../platform/database/database.ts';
import { openJobs } from '../platform/jobs.ts';
import { createMetrics } from '../platform/metrics.ts';

const zone = 'Asia/Kolkata';

let server: TestServer;
let asha: Person;
beforeAll(async () => {
  server = await startTestServer();
  asha = await signUpSomebody(server);
});
afterAll(() => server.close());

const figure = async (name: string, labels: Record<string, string> = {}, of = server) =>
  figureIn(await of.metrics.text(), name, labels);

describe('the metrics port', () => {
  it('serves /metrics and nothing else, separate from the public port', async () => {
    const [data, database] = [await dataFolder(), await freshDatabase()];
    const db = await openDatabase(database.url, 1);
    const audited = new Date('2026-10-01T16:13:00Z');
    await runAudit(contextAt(db, audited));
    await db.destroy();
    const program = await startProgram({
      DATA_DIR: data.path,
      DATABASE_URL: database.url,
      METRICS_PORT: '0',
    });
    const address = /Metrics are at (http:\S+)\/metrics/.exec(program.said().out)?.[1];
    const answer = await fetch(`${address}/metrics`);
    expect(answer.headers.get('content-type')).toContain('text/plain');
    const text = await answer.text();
    expect(figureIn(text, 'process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
    const connections = (state: string) => figureIn(text, 'jhalak_database_connections', { state }) ?? 0;
    expect(connections('idle') + connections('in_use')).toBeGreaterThan(0);
    // Counters of earlier tests in this process.
    expect(figureIn(text, 'jhalak_ledger_audit_timestamp_seconds')).toBe(audited.getTime() / 1000);
    expect(figureIn(text, 'jhalak_ledger_audit_ok')).toBe(1);
    expect((await fetch(`${address}/api/config`)).status).toBe(404);
    const outside = await fetch(`${program.origin}/metrics`);
    expect(outside.status).toBe(404);
    expect(await outside.text()).not.toContain('process_resident_memory_bytes');
    expect(await program.stop()).toBe(0);
    await database.drop();
    await data.remove();
  });

  it('of two servers in one process each reports its own values [long]', async () => {
    const second = await startTestServer();
    await call(second, { url: '/api/config' });
    const told = { route: '/api/config', status: '2xx' };
    expect(await figure('jhalak_http_request_duration_seconds_count', told, second)).toBe(1);
    expect(await figure('jhalak_http_request_duration_seconds_count', told)).toBeUndefined();
    await second.close();
  });

  it('reports all other metrics while the database is unavailable', async () => {
    const lost = await startTestServer();
    await call(lost, { url: '/api/config' });
    await lost.db.destroy();
    const text = await lost.metrics.text();
    expect(figureIn(text, 'jhalak_sample_failures_total', { sample: 'ledger audit' })).toBe(1);
    expect(figureIn(text, 'jhalak_ledger_audit_ok')).toBeUndefined();
    expect(
      figureIn(text, 'jhalak_http_request_duration_seconds_count', { route: '/api/config' }),
    ).toBeGreaterThan(0);
    await lost.close();
  });
});

describe('responses are measured', () => {
  it('by their route in the contract, whatever the URL', async () => {
    for (const id of [asha.id, asha.id, '019a0000-0000-7000-8000-000000000000'])
      await server.inject({ url: `/api/getuser/${id}` });
    for (const path of ['/wp-login.php', '/.env', '/api/nothing']) await server.inject({ url: path });
    const seconds = 'jhalak_http_request_duration_seconds_count';
    const labels = { method: 'GET', route: '/api/getuser/:id' };
    expect(await figure(seconds, { ...labels, status: '2xx' })).toBe(2);
    expect(await figure(seconds, { ...labels, status: '4xx' })).toBe(1);
    expect(await figure(seconds, { route: 'page', status: '4xx' })).toBe(2);
    const text = await server.metrics.text();
    for (const told of [asha.id, 'wp-login', '.env', 'nothing']) expect(text).not.toContain(told);
  });

  it('that exceeded a rate limit are counted by their route', async () => {
    const statuses: number[] = [];
    for (let tries = 0; tries < sendContact.limit.perNetwork + 2; tries += 1) {
      const answer = await server.inject({
        method: 'POST',
        url: sendContact.path,
        remoteAddress: '127.220.0.1',
        payload: {},
      });
      statuses.push(answer.statusCode);
    }
    const refused = statuses.filter((status) => status === 429).length;
    expect(refused).toBe(2);
    expect(await figure('jhalak_rate_limited_total', { route: '/api/contact/contact' })).toBe(refused);
  });
});

describe('work is measured', () => {
  it('finished, retried and failed jobs, and the waiting ones', async () => {
    const metrics = createMetrics();
    const kinds = ['measured-good', 'measured-bad', 'measured-idle'].map((name) => ({
      name,
      retries: 1,
      seconds: 60,
    }));
    const [good, bad, idle] = kinds as [(typeof kinds)[0], (typeof kinds)[0], (typeof kinds)[0]];
    const jobs = await openJobs(server.url, kinds, () => undefined, { metrics });
    await jobs.work(good, 1, async () => undefined);
    const fail = async () => {
      throw new Error('no');
    };
    await jobs.work(bad, 1, fail, async () => undefined);
    for (const kind of kinds) await inTransaction(server.db, (trx) => jobs.send(trx, kind, {}));
    const outcome = async (queue: string, ended: string) =>
      figureIn(await metrics.text(), 'jhalak_jobs_total', { queue, outcome: ended });
    await expect.poll(() => outcome(good.name, 'done')).toBe(1);
    await expect.poll(() => outcome(bad.name, 'failed')).toBe(1);
    expect(await outcome(bad.name, 'retried')).toBe(1);
    expect(await outcome(bad.name, 'done')).toBeUndefined();
    const text = await metrics.text();
    expect(figureIn(text, 'jhalak_job_duration_seconds_count', { queue: bad.name })).toBe(2);
    const waiting = async () =>
      figureIn(await metrics.text(), 'jhalak_queue_jobs', { queue: idle.name, state: 'waiting' });
    await expect.poll(waiting).toBe(1);
    await jobs.stop();
  });

  it('batches of views', async () => {
    const reel = await publishedReel(server.db, asha.id, new Date(), zone);
    await call(server, { method: 'POST', url: `/api/reel/increaseView/${reel}` });
    expect(await figure('jhalak_view_batch_views_sum')).toBe(1);
    expect(await figure('jhalak_view_batch_duration_seconds_count', { outcome: 'written' })).toBe(1);
  });

  it('media tasks, with refused files counted separately', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const send = async (bytes: Uint8Array<ArrayBuffer>) => {
      const { payload, headers } = await multipart(bytes, 'file', 'photo.png', 'image/png');
      const answer = await server.inject({
        method: 'POST',
        url: '/api/s3Post/uploadPosts',
        headers: { ...headers, ...asha.headers },
        payload,
      });
      return answer.statusCode;
    };
    expect(await send(new Uint8Array(png))).toBe(200);
    expect(await send(new Uint8Array(png.subarray(0, 45)))).toBe(422);
    const ended = 'jhalak_media_task_duration_seconds_count';
    expect(await figure(ended, { task: 'photo', outcome: 'done' })).toBe(1);
    expect(await figure(ended, { task: 'photo', outcome: 'refused' })).toBe(1);
  });

  it('the last audit of the ledger', async () => {
    const [at, ok, differences] = ['timestamp_seconds', 'ok', 'differences'].map(
      (name) => `jhalak_ledger_audit_${name}`,
    ) as [string, string, string];
    const other = await startTestServer();
    expect(await figure(ok, {}, other)).toBeUndefined();
    const now = new Date();
    await runAudit(contextAt(other.db, now));
    expect(await figure(ok, {}, other)).toBe(1);
    expect(await figure(differences, {}, other)).toBe(0);
    expect(await figure(at, {}, other)).toBeCloseTo(now.getTime() / 1000, 2);

    const person = await signUpSomebody(other);
    await publishedReel(other.db, person.id, now, zone);
    await other.db.updateTable('creator_months').set({ views: 7 }).execute();
    await runAudit(contextAt(other.db, now));
    const found = (await auditLedger(contextOn(other.db))).differences.length;
    expect(found).toBeGreaterThan(0);
    expect(await figure(ok, {}, other)).toBe(0);
    expect(await figure(differences, {}, other)).toBe(found);

    await other.close();
  });
});
