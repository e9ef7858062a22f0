import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { publishPicture } from '#testing/fixtures/posts.ts';
import { changeWorks } from '#testing/fixtures/works.ts';
import { signUpOperator } from '#testing/servers/operators.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { loadSite } from './page-renderer.ts';

let server: TestServer;
let operator: Person;
let asha: Person;
beforeAll(async () => {
  server = await startTestServer({ ORIGIN: 'https://jhalak.example' }, { site: await loadSite() });
  operator = await signUpOperator(server, 'Ravi');
});
afterAll(() => server.close());
beforeEach(async () => {
  asha = await signUpSomebody(server);
});

const hues = ['#101010', '#202020', '#303030'] as const;
const publish = (caption: string, place = 0) =>
  publishPicture(server.db, server.dataDir, asha.id, caption, new Date(Date.now() + place), hues[place]);
const ask = (id: string, headers: Record<string, string> = {}) =>
  server.inject({ url: `/post/${id}`, headers: { accept: 'text/html', ...headers } });
const statusOf = async (id: string) => (await ask(id)).statusCode;
const operate = (path: string, payload: object) =>
  call(server, { method: 'POST', url: `/api/operator/${path}`, headers: operator.headers, payload });
const withoutNonce = (body: string) => body.replaceAll(/nonce"?[=:]"[^"]*"/g, '');

describe('the page of a photo (decisions §3)', () => {
  it('has picture, text, author and the links to its neighbours before any script runs', async () => {
    const older = await publish('Before', 0);
    const id = await publish('Of <the> sea', 1);
    const newer = await publish('After', 2);
    const { statusCode, body, headers } = await ask(id);
    expect(statusCode).toBe(200);
    // Other caches must revalidate it at every request: it has to be gone within a second after the photo.
    expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate');
    const { data } = await call(server, { url: `/api/post/getPost/${id}` });
    expect(body).toContain(`src="${data.imageurl}"`);
    expect(body).toContain('Of &lt;the&gt; sea');
    expect(body).toContain('Of &lt;the&gt; sea, told at length.');
    for (const link of [`/user/${asha.id}`, `/post/${newer}`, `/post/${older}`])
      expect(body).toContain(`href="${link}"`);
    expect(body).toContain(`<link rel="canonical" href="https://jhalak.example/post/${id}"/>`);
    // Whoever has liked it is not in the page.
    expect(body).not.toContain('takenDown');
  });

  it('is the same for everybody, signed in or not', async () => {
    const id = await publish('For all');
    const visitor = withoutNonce((await ask(id)).body);
    expect(withoutNonce((await ask(id, asha.headers)).body)).toBe(visitor);
    expect(withoutNonce((await ask(id, operator.headers)).body)).toBe(visitor);
  });

  it.each(['nonsense', '018f0000-0000-7000-8000-000000000000'])('of %s does not exist', async (id) => {
    const { statusCode, body } = await ask(id);
    expect(statusCode).toBe(404);
    expect(body).toContain('This photo isn&#x27;t available');
  });

  it('is 404 at once when the photo is deleted, also for those who have just seen it', async () => {
    const id = await publish('Soon deleted');
    expect(await statusOf(id)).toBe(200);
    await call(server, { method: 'DELETE', url: `/api/post/deletePost/${id}`, headers: asha.headers });
    expect(await statusOf(id)).toBe(404);
  });

  it('is 404 while it is taken down or its creator suspended, also for the creator', async () => {
    const id = await publish('Hidden');
    expect(await statusOf(id)).toBe(200);
    await operate('reports/take-down', {
      target: `post:${id}`,
      what: 'copy',
      rule: 'spam',
      reason: 'Not theirs',
    });
    expect(await statusOf(id)).toBe(404);
    expect((await ask(id, asha.headers)).statusCode).toBe(404);
    await operate('reports/restore', { target: `post:${id}` });
    expect(await statusOf(id)).toBe(200);
    await operate(`people/suspend/${asha.id}`, { rule: 'spam', days: 7, reason: 'Spam' });
    expect(await statusOf(id)).toBe(404);
    await operate(`people/restore/${asha.id}`, {});
    expect(await statusOf(id)).toBe(200);
  });

  it('is 404 soon after another process has deleted it, though it was shown right before', async () => {
    const id = await publish('Deleted elsewhere');
    expect(await statusOf(id)).toBe(200);
    await changeWorks(server.db, (trx) =>
      trx.updateTable('posts').set({ deleted_at: new Date() }).where('id', '=', id).execute(),
    );
    await expect.poll(() => statusOf(id)).toBe(404);
  });

  it('is 404 when the account of its creator is deleted', async () => {
    const id = await publish('With the account');
    expect(await statusOf(id)).toBe(200);
    await call(server, { method: 'DELETE', url: `/api/delete/${asha.id}`, headers: asha.headers });
    expect(await statusOf(id)).toBe(404);
  });
});
