import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate, openDatabase } from '#server/platform/database/database.ts';
import { type Client, clientAt } from '#testing/clients/api-client.ts';
import { adminHere } from '#testing/servers/admin-command.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { dataFolder, type Program, startProgram } from '#testing/servers/program.ts';
import { migrationOf, readDump } from '#testing/upgrade/dump.ts';

/* Each version reads what the versions before it stored. Their dumps are made by `npx node testing/upgrade/make.ts`. */

const folder = fileURLToPath(new URL('../testing/upgrade', import.meta.url));
const versions = readdirSync(folder).flatMap((name) => /^(.+)\.sql$/.exec(name)?.[1] ?? []);

describe.each(versions)('on what version %s stored, this version', (version) => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let data: Awaited<ReturnType<typeof dataFolder>>;
  let program: Program;
  let settings: Record<string, string>;
  let asha: Client;
  beforeAll(async () => {
    [database, data] = await Promise.all([freshDatabase('template1'), dataFolder()]);
    settings = { DATABASE_URL: database.url, DATA_DIR: data.path };
    const file = join(folder, `${version}.sql`);
    const db = await openDatabase(database.url, 1);
    await migrate(db, await migrationOf(file));
    await readDump(file, { url: database.url, keysDir: join(data.path, 'keys') });
    await db.destroy();
    program = await startProgram(settings);
  });
  afterAll(async () => {
    await program?.stop();
    await database.drop();
    await data.remove();
  });

  const signIn = async (username: string) => {
    const form = { email: `${username}@people.example`, password: 'a long password' };
    const response = await fetch(`${program.origin}/api/signin`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(form),
    });
    expect(response.status).toBe(200);
    const { data: token, user } = await response.json();
    return clientAt(program.origin, token, user);
  };
  const page = async (path: string) => {
    const response = await fetch(`${program.origin}${path}`);
    expect(response.status, path).toBe(200);
    return await response.text();
  };

  it('starts with its keys, and logs people in', async () => {
    expect(program.said().out).not.toContain('These keys are not in');
    asha = await signIn('asha');
    expect(await asha.send('GET', '/api/passkeys')).toMatchObject({ status: 200, body: { data: [] } });
    const ravi = await signIn('ravi');
    expect(await ravi.send('GET', '/api/passkeys')).toMatchObject({
      status: 200,
      body: { data: [{ name: 'A phone' }] },
    });
  });

  it('shows their works, comments and likes', async () => {
    const list = await (await fetch(`${program.origin}/api/reel/getallReels?limit=1`)).json();
    expect(list.data).toMatchObject([
      { caption: 'Kites over the river', likeCount: 1, comments: [{ text: 'So high!' }] },
    ]);
    expect(await page(`/videoplayer?reel=${list.data[0]._id}`)).toContain('Kites over the river');
    expect(await page(`/user/${asha.id}?tab=posts`)).toContain('Boats');
    for (const path of ['/', '/ShowPosts', '/AllUsers', '/EarningInfo']) await page(path);
  });

  it('knows what a person was paid, and where', async () => {
    expect(await asha.send('GET', `/api/user-earnings/history/${asha.id}`)).toMatchObject({
      status: 200,
      body: {
        data: {
          data: [
            { monthKey: '2026-09', payout: 'paid', totalCoins: 253 },
            { monthKey: '2026-08', payout: 'paid', totalCoins: 251, carriedBy: '2026-09' },
          ],
        },
      },
    });
    expect(await asha.send('GET', '/api/payout/destination')).toMatchObject({
      status: 200,
      body: { data: { kind: 'upi', masked: 'as•••@okaxis' }, unreadable: false },
    });
  });

  it('finds no difference in the ledger', async () => {
    expect(await adminHere(settings, ['ledger', 'audit'])).toMatchObject({ code: 0, err: '' });
  });
});
