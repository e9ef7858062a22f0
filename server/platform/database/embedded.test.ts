import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ordinaryUser } from '#testing/servers/ordinary-user.ts';
import { isWhole } from '#testing/share.ts';
import { startEmbeddedPostgres } from './embedded.ts';
import { readPostmaster } from './postmaster.ts';

const isRoot = process.getuid?.() === 0;
const say = () => undefined;

let folder: string;
let directory: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jhalak-embedded-'));
  directory = join(folder, 'postgres');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function ask(url: string, question: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(question)).rows;
  } finally {
    await client.end();
  }
}

/** A separate process that starts the database on `directory`, prints its URL, and runs until it is killed. */
function startElsewhere(options: { uid?: number; gid?: number } = {}): ChildProcess {
  const module = fileURLToPath(new URL('./embedded.ts', import.meta.url));
  const code = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(module)});
    try {
      const { url } = await startEmbeddedPostgres({ directory: ${JSON.stringify(directory)}, say() {} });
      console.log(url);
      setInterval(() => {}, 1000);
    } catch (error) { console.log(error.name + ': ' + error.message); process.exit(1); }`;
  return spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...options,
  });
}

async function firstLine(child: ChildProcess): Promise<string> {
  const [chunk] = await once(child.stdout ?? child, 'data');
  return String(chunk).trim();
}

async function untilEnded(pid: number): Promise<void> {
  for (let waited = 0; waited < 10_000; waited += 50) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await sleep(50);
  }
  throw new Error(`process ${pid} still runs`);
}

describe('the embedded database', () => {
  it('has its data after a stop and a start, and leaves no process and no incomplete files', async () => {
    const first = await startEmbeddedPostgres({ directory, say });
    const pid = (await readPostmaster(directory))?.pid ?? 0;
    await ask(first.url, 'create table t as select 42 as n');
    expect(await ask(first.url, 'show fsync')).toEqual([{ fsync: 'on' }]);
    await first.stop();
    await untilEnded(pid);
    const second = await startEmbeddedPostgres({ directory, say });
    expect(await ask(second.url, 'select n from t')).toEqual([{ n: 42 }]);
    await second.stop();
    expect((await readdir(folder)).sort()).toEqual(['postgres', 'postgres.log']);
  });

  it('stops by itself when its owner is killed, and can be started again at once', async () => {
    const owner = startElsewhere();
    const url = await firstLine(owner);
    await ask(url, 'create table t as select 7 as n');
    const pid = (await readPostmaster(directory))?.pid ?? 0;
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    const next = await startEmbeddedPostgres({ directory, say });
    await untilEnded(pid);
    expect(await ask(next.url, 'select n from t')).toEqual([{ n: 7 }]);
    await next.stop();
  });

  it('restarts by itself with the same URL when it is killed, without losing acknowledged data [long]', async () => {
    const postgres = await startEmbeddedPostgres({ directory, say });
    await ask(postgres.url, 'create table t (n int)');
    for (const n of [1, 2]) {
      await ask(postgres.url, `insert into t values (${n})`);
      const pid = (await readPostmaster(directory))?.pid ?? 0;
      process.kill(pid, 'SIGKILL');
      await untilEnded(pid);
      const known = () => ask(postgres.url, 'select count(*)::int as n from t').catch(() => 'not yet');
      await expect.poll(known).toEqual([{ n }]);
    }
    await postgres.stop();
    expect((await readdir(folder)).sort()).toEqual(['postgres', 'postgres.log']);
  });

  it.runIf(isWhole)('is taken over after its owner and its guardian were both killed', async () => {
    const owner = startElsewhere();
    await firstLine(owner);
    const pid = (await readPostmaster(directory))?.pid ?? 0;
    const guardian = Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }));
    for (const line of execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')) {
      const [child, parent] = line.trim().split(/\s+/).map(Number);
      if (parent === guardian && child && child !== pid) process.kill(child, 'SIGKILL');
    }
    process.kill(guardian, 'SIGKILL');
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    const next = await startEmbeddedPostgres({ directory, say });
    await untilEnded(pid);
    expect(await ask(next.url, 'select 1 as n')).toEqual([{ n: 1 }]);
    await next.stop();
  });

  it('is refused with one sentence about the process that uses the folder, which continues', async () => {
    const first = await startEmbeddedPostgres({ directory, say });
    const other = startElsewhere();
    expect(await firstLine(other)).toBe(
      `StartupError: The data folder ${folder} is in use by another Jhalak (process ${process.pid}).`,
    );
    expect(await ask(first.url, 'select 1 as n')).toEqual([{ n: 1 }]);
    await first.stop();
  });

  it.runIf(isWhole)(
    'is started by one of two processes that start in parallel on an empty folder',
    async () => {
      const both = [startElsewhere(), startElsewhere()];
      const lines = await Promise.all(both.map(firstLine));
      expect(lines.filter((line) => line.startsWith('postgres://'))).toHaveLength(1);
      expect(lines.filter((line) => line.includes('in use by another Jhalak'))).toHaveLength(1);
      for (const child of both) child.kill('SIGKILL');
      const pid = (await readPostmaster(directory))?.pid;
      if (pid) await untilEnded(pid);
    },
  );

  it.runIf(isWhole)(
    'is not blocked by a stale lock whose process id now belongs to another program',
    async () => {
      await (await startEmbeddedPostgres({ directory, say })).stop();
      await writeFile(join(directory, 'postmaster.pid'), `${process.pid}\n${directory}\n`);
      const next = await startEmbeddedPostgres({ directory, say });
      await next.stop();
    },
  );

  it("is recognized while it runs, whatever the folder's name and path [long]", async () => {
    const odd = join(folder, 'डेटा फ़ोल्डर', 'postgres');
    const running = await startEmbeddedPostgres({ directory: odd, say });
    await symlink(join(folder, 'डेटा फ़ोल्डर'), join(folder, 'link'));
    const before = { COLUMNS: process.env.COLUMNS, LC_ALL: process.env.LC_ALL };
    Object.assign(process.env, { COLUMNS: '20', LC_ALL: 'C' });
    try {
      const refused = startEmbeddedPostgres({ directory: join(folder, 'link', 'postgres'), say });
      await expect(refused).rejects.toThrow(/is in use by another Jhalak/);
    } finally {
      for (const [name, value] of Object.entries(before))
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
    }
    expect(existsSync(join(odd, 'postmaster.pid'))).toBe(true);
    await running.stop();
  });

  it('refuses a file instead of a folder', async () => {
    await writeFile(join(folder, 'file'), '');
    await expect(startEmbeddedPostgres({ directory: join(folder, 'file', 'postgres'), say })).rejects.toThrow(
      /^The data folder .*file cannot be used: it is not a folder/,
    );
  });

  it.runIf(isRoot)('runs for root in a folder that nobody else may enter, and never as root', async () => {
    chmodSync(folder, 0o700);
    const postgres = await startEmbeddedPostgres({ directory, say });
    const pid = (await readPostmaster(directory))?.pid ?? 0;
    expect(execFileSync('ps', ['-o', 'uid=', '-p', String(pid)], { encoding: 'utf8' }).trim()).not.toBe('0');
    await postgres.stop();
  });

  it.runIf(ordinaryUser())('says in one sentence that a folder cannot be written by this user', async () => {
    await mkdir(join(folder, 'locked'));
    await chmod(join(folder, 'locked'), 0o555);
    await chmod(folder, 0o755);
    directory = join(folder, 'locked', 'postgres');
    const child = startElsewhere(ordinaryUser());
    expect(await firstLine(child)).toMatch(
      /^StartupError: The data folder .*locked cannot be used: this user may not write there/,
    );
    expect(existsSync(directory)).toBe(false);
  });

  it.runIf(isRoot && ordinaryUser())('runs for an ordinary user [long]', async () => {
    await chmod(folder, 0o777);
    const child = startElsewhere(ordinaryUser());
    const url = await firstLine(child);
    expect(await ask(url, 'select 1 as n')).toEqual([{ n: 1 }]);
    const pid = (await readPostmaster(directory))?.pid ?? 0;
    expect(execFileSync('ps', ['-o', 'uid=', '-p', String(pid)], { encoding: 'utf8' }).trim()).toBe('65534');
    child.kill('SIGKILL');
    await untilEnded(pid);
  });
});
