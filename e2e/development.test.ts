import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '#server/platform/database/embedded.ts';
import { dataFolder, type Program, startProgram } from '#testing/servers/program.ts';

/** A copy of the sources, which the test edits. */
let copy: string;
let data: Awaited<ReturnType<typeof dataFolder>>;
let program: Program;
beforeAll(async () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  copy = await mkdtemp(join(tmpdir(), 'jhalak-sources-'));
  const sources = ['contract', 'demo', 'migrations', 'server', 'tools', 'web', 'package.json'];
  const settings = ['tsconfig.base.json', 'tsconfig.json', 'vite.config.ts', 'react-router.config.ts'];
  for (const name of [...sources, ...settings])
    await cp(join(root, name), join(copy, name), { recursive: true });
  await symlink(join(root, 'build'), join(copy, 'build'));
  // Vite's cache in node_modules is separate from that of the working copy.
  await mkdir(join(copy, 'node_modules'));
  for (const name of await readdir(join(root, 'node_modules')))
    if (!name.startsWith('.'))
      await symlink(join(root, 'node_modules', name), join(copy, 'node_modules', name));
  data = await dataFolder();
  const port = String(await freePort());
  program = await startProgram({ DATA_DIR: data.path, PORT: port }, join(copy, 'tools/dev.ts'));
});
afterAll(async () => {
  await program?.stop();
  await data?.remove();
  await rm(copy, { recursive: true, force: true });
});

const edit = async (file: string, from: string, to: string) => {
  const source = await readFile(join(copy, file), 'utf8');
  expect(source).toContain(from);
  await writeFile(join(copy, file), source.replace(from, to));
};

it('an edited component is rendered again, without a build', async () => {
  const about = async () => {
    const answer = await fetch(`${program.origin}/About`);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    return await answer.text();
  };
  expect(await about()).not.toContain('data-edited');
  await edit('web/pages/about.tsx', '<h1', '<h1 data-edited');
  await expect.poll(about).toContain('data-edited');
});

it('an edited file of the server restarts it, with the same data', async () => {
  const form = {
    name: 'A',
    username: 'a',
    email: 'a@people.example',
    password: 'a password',
    cpassword: 'a password',
  };
  const signUp = () =>
    fetch(`${program.origin}/api/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(form),
    });
  expect((await signUp()).status).toBe(200);
  await edit('server/http/pages/crawlers.ts', 'Sitemap:', 'X-Edited: yes\\nSitemap:');
  const robots = () =>
    fetch(`${program.origin}/robots.txt`).then(
      (answer) => answer.text(),
      () => 'not there yet',
    );
  await expect.poll(robots).toContain('X-Edited');
  expect((await signUp()).status).toBe(409);
});
