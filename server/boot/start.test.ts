import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signUpAt } from '#testing/clients/api-client.ts';
import { dumpOf } from '#testing/models/database-dump.ts';
import { adminHere } from '#testing/servers/admin-command.ts';
import { ordinaryUser } from '#testing/servers/ordinary-user.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { dataFolder, descendantsOf, launch, startProgram } from '#testing/servers/program.ts';
import { isWhole, someOf } from '#testing/share.ts';
import { openDatabase } from '../platform/database/database.ts';
import { databaseFolder, startEmbeddedPostgres } from '../platform/database/embedded.ts';
import { isProcessAlive } from '../platform/process-alive.ts';

let data: Awaited<ReturnType<typeof dataFolder>>;
beforeEach(async () => {
  data = await dataFolder();
});
afterEach(() => data.remove());

const signUp = (origin: string) =>
  fetch(`${origin}/api/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'A',
      username: 'a',
      email: 'a@people.example',
      password: 'a password',
      cpassword: 'a password',
    }),
  });

/** Starts the program in an invalid environment; returns its standard error. */
async function refusedStart(settings: Record<string, string>, options: { uid?: number; gid?: number } = {}) {
  const { child, said, ended } = launch({ DATA_DIR: data.path, ...settings }, options);
  expect(await ended).toBe(1);
  expect(descendantsOf(child.pid ?? 0)).toEqual([]);
  expect(said.err.trim()).not.toContain('\n');
  return said.err.trim();
}

const earlierVersion =
  'This database is of a version before 0.3.0, which this version does not read: commit d442f1b4 reads it, and exports from it.';

/** Everything in the database at `url`, which `change` may change first. */
async function contentAt(url: string, change?: RawBuilder<unknown>): Promise<string> {
  const db = await openDatabase(url, 1);
  await change?.execute(db);
  const content = await dumpOf(db, { schemas: ['public', 'pgboss'] });
  await db.destroy();
  return content;
}
const madeBefore = sql`update kysely_migration set name = '0121_paid_and_seen' where name = '0313_site'`;

describe('a site of a version before 0.3.0 is refused with the commit that reads it, and stays untouched', () => {
  it('with a database of DATABASE_URL, by each role and by commands', async () => {
    const { url, drop } = await freshDatabase();
    const before = await contentAt(url, madeBefore);
    for (const ROLE of isWhole ? ['all', 'web', 'worker'] : ['worker'])
      expect(await refusedStart({ DATABASE_URL: url, ROLE })).toBe(earlierVersion);
    const command = await adminHere({ DATABASE_URL: url, DATA_DIR: data.path }, ['migrate']);
    expect(command).toEqual({ code: 1, out: '', err: `${earlierVersion}\n` });
    expect(await contentAt(url)).toBe(before);
    await drop();
  });

  it.runIf(isWhole)('with an embedded database', async () => {
    const program = await startProgram({ DATA_DIR: data.path });
    expect((await signUp(program.origin)).status).toBe(200);
    await program.stop();
    const content = async (change?: RawBuilder<unknown>) => {
      const postgres = await startEmbeddedPostgres({
        directory: databaseFolder(data.path),
        say: () => undefined,
      });
      try {
        return [await contentAt(postgres.url, change), await filesOf(data.path)];
      } finally {
        await postgres.stop();
      }
    };
    const before = await content(madeBefore);
    expect(await refusedStart({})).toBe(earlierVersion);
    const command = await adminHere({ DATA_DIR: data.path }, ['people', 'find', 'a']);
    expect(command).toMatchObject({ code: 1, out: '', err: expect.stringContaining(earlierVersion) });
    expect(await content()).toEqual(before);
  });
});

/** The files of a data folder except those of PostgreSQL, with their sizes and times. */
async function filesOf(folder: string) {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = found.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  return await Promise.all(
    paths
      .filter((path) => !path.startsWith(join(folder, 'postgres')))
      .sort()
      .map(async (path) => {
        const { size, mtimeMs } = await stat(path);
        return { path, size, mtimeMs };
      }),
  );
}

describe('npm start (issue: a newcomer can)', () => {
  it('reports its start in plain words, stores the data, hashes passwords with 19 MiB and two passes, and Ctrl-C stops all processes that it started', async () => {
    const first = await startProgram({ DATA_DIR: data.path });
    expect(first.said().out.split('\n')).toEqual([
      'Installing the database …',
      'Starting the database …',
      'No mail is sent: SMTP_URL is not set. Nobody can reset a forgotten password, verify or change an address, or is told by mail of changes to their account. npm run admin -- people reset-link and verify-email do it for them.',
      'People like, comment and follow in the mobile app (INTERACTIONS=app); INTERACTIONS=web npm start lets them do so on the site.',
      `Jhalak is ready at ${first.origin}`,
      '',
    ]);
    expect((await signUp(first.origin)).status).toBe(200);
    // The tests themselves use less (testing/quick-argon2.ts).
    const db = await openDatabase(await readFile(join(data.path, 'postgres.url'), 'utf8'), 1);
    const { password_hash } = await db.selectFrom('people').select('password_hash').executeTakeFirstOrThrow();
    await db.destroy();
    expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const started = descendantsOf(first.child.pid ?? 0);
    expect(started.length).toBeGreaterThan(0);
    expect(await first.stop()).toBe(0);
    await expect.poll(() => started.filter(isProcessAlive)).toEqual([]);

    const second = await startProgram({ DATA_DIR: data.path });
    expect(second.said().out).not.toContain('Installing');
    expect((await signUp(second.origin)).status).toBe(409);
    expect(await second.stop()).toBe(0);
  });

  it('uses the clock of TEST_CLOCK: a session ends as soon as a time one month later is written into its file [long]', async () => {
    const file = join(data.path, 'clock');
    await writeFile(file, '2030-01-01T00:00:00Z');
    const { url, drop } = await freshDatabase();
    const program = await startProgram({ DATA_DIR: data.path, DATABASE_URL: url, TEST_CLOCK: file });
    expect(program.said().out).toMatch(/The time of this site is moved by TEST_CLOCK: it is 2030-01-01T00:0/);
    const asha = await signUpAt(program.origin, 'asha');
    const self = () => asha.send('POST', '/api/userdata');
    expect((await self()).status).toBe(200);
    await writeFile(file, '2030-02-01T00:00:00Z');
    expect((await self()).status).toBe(401);
    expect(await program.stop()).toBe(0);
    await drop();
  });

  it('on a used port reports that', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    expect(await refusedStart({ PORT: String(port) })).toBe(
      `Port ${port} is taken by another program; choose one with PORT=… npm start.`,
    );
    server.close();
  });

  it('on a data folder in use names the process that uses it, and leaves that process running [long]', async () => {
    const first = await startProgram({ DATA_DIR: data.path });
    expect(await refusedStart({})).toBe(
      `The data folder ${data.path} is in use by another Jhalak (process ${first.child.pid}).`,
    );
    expect((await fetch(`${first.origin}/readyz`)).status).toBe(200);
    await first.stop();
  });

  it('with an unreachable database reports that, without the password', async () => {
    const said = await refusedStart({ DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/jhalak' });
    expect(said).toMatch(/^The database at 127\.0\.0\.1:1\/jhalak cannot be reached: .*\.$/);
    expect(said).not.toContain('secret');
  });

  it.runIf(ordinaryUser())('with a folder that cannot be written says so', async () => {
    const locked = join(data.path, 'locked');
    await mkdir(locked);
    await chmod(locked, 0o555);
    await chmod(data.path, 0o755);
    expect(await refusedStart({ DATA_DIR: locked }, ordinaryUser())).toBe(
      `The data folder ${locked} cannot be used: this user may not write there. Set DATA_DIR to another one.`,
    );
  });

  it.runIf(ordinaryUser())('with a folder of keys that cannot be written says so', async () => {
    const locked = join(data.path, 'locked');
    await mkdir(locked);
    await chmod(locked, 0o555);
    await chmod(data.path, 0o777);
    expect(await refusedStart({ KEYS_DIR: locked }, ordinaryUser())).toBe(
      `The folder of keys ${locked} cannot be used: this user may not write there. Set KEYS_DIR to another one.`,
    );
  });

  it('with an external database but no key folder reports that', async () => {
    const said = await refusedStart({
      DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/jhalak',
      KEYS_DIR: '',
    });
    expect(said).toMatch(/^DATABASE_URL is set, but KEYS_DIR is not: .*share.*\.$/);
  });

  it('without its keys starts, and reports the loss [long]', async () => {
    const { url, drop } = await freshDatabase();
    const settings = { DATA_DIR: data.path, DATABASE_URL: url };
    await (await startProgram(settings)).stop();
    await rm(join(data.path, 'keys'), { recursive: true });
    const second = await startProgram(settings);
    expect(second.said().out).toContain(`These keys are not in ${join(data.path, 'keys')} any more`);
    expect(second.said().out).toMatch(/places\.1 \(from where people have logged in before/);
    expect((await fetch(second.origin)).status).toBe(200);
    expect(await second.stop()).toBe(0);
    await drop();
  });

  it('with a file instead of a folder reports that', async () => {
    await writeFile(join(data.path, 'file'), '');
    expect(await refusedStart({ DATA_DIR: join(data.path, 'file') })).toContain('it is not a folder');
  });

  // An ordinary user may not write there; root finds that nothing can be made there.
  const notInProc =
    process.getuid?.() === 0 ? 'it cannot be made or written (ENOENT)' : 'this user may not write there';

  const unusable: [Record<string, string>, string][] = [
    [
      { DATA_DIR: '/proc/nope' },
      'The data folder /proc/nope cannot be used: it cannot be made or written (ENOENT). Set DATA_DIR to another one.',
    ],
    [
      { DATA_DIR: '/proc' },
      `The data folder /proc cannot be used: ${notInProc}. Set DATA_DIR to another one.`,
    ],
    [
      { KEYS_DIR: '/proc/nope/keys' },
      'The folder of keys /proc/nope/keys cannot be used: it cannot be made or written (ENOENT). Set KEYS_DIR to another one.',
    ],
    [
      { DATABASE_URL: 'postgres://127.0.0.1:1/jhalak', DATA_DIR: '/proc/nope', KEYS_DIR: '/proc/nope' },
      'The data folder /proc/nope cannot be used: it cannot be made or written (ENOENT). Set DATA_DIR to another one.',
    ],
    [
      { HOST: '203.0.113.7' },
      'This machine has no address 203.0.113.7; set HOST to one it has, such as 127.0.0.1.',
    ],
    [
      { FCM_KEY_FILE: '/dev/zero' },
      'The setting FCM_KEY_FILE cannot be used: /dev/zero is not the key file of a service account.',
    ],
    [{ TEST_CLOCK: '/dev/zero' }, 'The file /dev/zero of TEST_CLOCK cannot be read.'],
    [
      { ORIGIN: 'https://jhalak.example/app' },
      'The setting ORIGIN cannot be used: it must be a scheme and a host without a path, such as https://jhalak.example.',
    ],
  ];
  it.each(someOf(unusable, 3))(
    'with %j ends with one sentence, and not by hanging',
    async (settings, sentence) => {
      expect((await refusedStart(settings)).replace('(EACCES)', '(ENOENT)')).toBe(sentence);
    },
  );

  // config.test.ts has the sentence of each setting.
  const invalid = [
    [{ PORT: 'eighty' }, 'PORT'],
    [{ TIME_ZONE: 'Mars/Olympus' }, 'TIME_ZONE'],
    [{ JHALAK_DEMO: 'maybe' }, 'JHALAK_DEMO'],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL'],
  ] as const;
  it.each(someOf(invalid, 1))('with %j names the setting', async (settings, name) => {
    expect(await refusedStart(settings)).toMatch(new RegExp(`^The setting ${name} cannot be used: .+\\.$`));
  });
});
