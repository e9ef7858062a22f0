import { lookup } from 'node:dns/promises';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { internet } from '#server/features/imports/network.ts';
import { pushHosts } from '#server/features/notifications/push/hosts.ts';
import { launch } from './program.ts';

it.each(pushHosts)('a test cannot resolve %s, but can resolve this machine', async (host) => {
  await expect(internet.resolve(host)).rejects.toThrow(`${host} is not on this machine`);
  await expect(fetch(`https://${host}/`)).rejects.toMatchObject({
    cause: { message: `${host} is not on this machine` },
  });
  expect(await internet.resolve('localhost')).not.toEqual([]);
  await expect(lookup(host)).rejects.toThrow(`${host} is not on this machine`);
});

it('a program that a test starts cannot resolve real hosts either', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'jhalak-loopback-'));
  const program = join(folder, 'asks.mjs');
  await writeFile(
    program,
    "import { lookup } from 'node:dns';\nlookup('fcm.googleapis.com', (error) => console.log(error.message));\n",
  );
  const { said, ended } = launch({}, { program });
  await ended;
  expect(said.out).toBe('fcm.googleapis.com is not on this machine\n');
  await rm(folder, { recursive: true, force: true });
});
