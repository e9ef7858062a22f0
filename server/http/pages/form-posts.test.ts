import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formPages } from '#contract/form-pages.ts';
import { startTestServer, type TestServer } from '#testing/servers/test-server.ts';
import { loadSite } from './page-renderer.ts';

let server: TestServer;
let configured: TestServer;
beforeAll(async () => {
  const site = await loadSite();
  server = await startTestServer({}, { site });
  configured = await startTestServer({ ORIGIN: 'https://jhalak.example' }, { site });
});
afterAll(() => Promise.all([server.close(), configured.close()]));

const ours = { origin: 'http://localhost:80', host: 'localhost:80' };
const contact = { name: 'Asha', email: 'asha@people.example', phone: '', text: 'Where is my reel?' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const post = (url: string, fields: Record<string, string>, options: InjectOptions = {}, at = server) =>
  at.inject({
    method: 'POST',
    url,
    payload: new URLSearchParams(fields).toString(),
    headers: { ...ours, ...form },
    ...options,
  });
const kept = (at = server) => at.db.selectFrom('messages').selectAll().execute();
let newcomers = 0;
const newcomer = () => {
  newcomers += 1;
  const username = `formless${newcomers}`;
  const password = 'a secret of mine';
  return { name: 'Ila', username, email: `${username}@people.example`, password, cpassword: password };
};

describe('a form sent without a script', () => {
  it('is accepted by exactly the pages that have an action', async () => {
    const { routes } = await loadSite();
    const paths = Object.values(routes).flatMap((route) => (route?.module.action ? [`/${route.path}`] : []));
    expect(paths.sort()).toEqual(Object.keys(formPages).sort());
  });

  it('is stored, and redirected by 303', async () => {
    const response = await post('/Contact', { ...contact, text: 'First' });
    expect(response.statusCode).toBe(303);
    expect(response.headers.location).toBe('/Contact#sent');
    expect(response.headers['cache-control']).toBe('no-store');
    expect(await kept()).toMatchObject([{ kind: 'contact', name: 'Asha', text: 'First' }]);
    expect((await post('/Feedback', { name: '', text: 'More kites' })).headers.location).toBe(
      '/Feedback#sent',
    );
    expect((await post('/Feedback?lang=hi', { name: '', text: 'और पतंगें' })).headers.location).toBe(
      '/Feedback?lang=hi#sent',
    );
  });

  it('with missing fields shows all errors at once and keeps the input', async () => {
    const response = await post('/Contact', {
      ...contact,
      name: '',
      email: 'asha at home',
      text: '<b>Hi & bye',
    });
    expect(response.statusCode).toBe(400);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.body).toContain('Please fill in all required fields (Name, Email, Message).');
    expect(response.body).toContain('Please enter a valid email address.');
    expect(response.body).toContain('value="asha at home"');
    expect(response.body).toContain('&lt;b&gt;Hi &amp; bye');
    expect(response.body).not.toContain('<b>Hi');
  });

  it('shows the specified sentences in the language of the page', async () => {
    expect((await post('/Feedback', { name: 'A', text: ' ' })).body).toContain(
      'Please write some feedback before submitting!',
    );
    const hindi = await post('/SignupForm?lang=hi', { ...newcomer(), name: '' });
    expect(hindi.body).toMatch(/<html lang="hi"/);
    expect(hindi.body).not.toContain('All fields are required');
    expect(hindi.body).toContain('सभी');
    const odd = await post('/SignupForm?lang=hi', { ...newcomer(), email: 'nowhere' });
    expect(odd.body).not.toContain('Please enter a valid email address.');
  });

  it('creates an account and never returns a password', async () => {
    const person = newcomer();
    const missing = await post('/SignupForm', { ...person, name: '' });
    expect(missing.statusCode).toBe(400);
    expect(missing.body).toContain('All fields are required');
    const mismatch = await post('/SignupForm', { ...person, cpassword: 'another secret of mine' });
    expect(mismatch.body).toContain('Password and Confirm Password must be same');
    const done = await post('/SignupForm', person);
    expect([done.statusCode, done.headers.location]).toEqual([303, '/LoginEmail#created']);
    const again = await post('/SignupForm', person);
    expect(again.statusCode).toBe(409);
    expect(again.body).toContain(`value="${person.username}"`);
    for (const { body } of [missing, mismatch, again]) expect(body).not.toContain('secret of mine');
    const signedIn = await server.inject({
      method: 'POST',
      url: '/api/signin',
      payload: { email: person.email, password: person.password },
    });
    expect(signedIn.statusCode).toBe(200);
  });

  it('is neither answered from the cache nor cached, and evicts nothing unless lists have changed', async () => {
    const about = async () => (await server.inject({ url: '/AllUsers', headers: ours })).body;
    await post('/Contact', { ...contact, name: '', text: 'Not to be kept by anybody' });
    const page = await server.inject({ url: '/Contact', headers: ours });
    expect(page.statusCode).toBe(200);
    expect(page.body).not.toContain('Not to be kept by anybody');
    const person = newcomer();
    const before = await about();
    await post('/Feedback', { name: '', text: 'Nothing of the lists' });
    await post('/SignupForm', { ...person, cpassword: 'no' });
    expect(await about()).toBe(before);
    await post('/SignupForm', person);
    expect(await about()).toContain(person.username);
  });

  it('is counted with its endpoint', async () => {
    const remoteAddress = '127.9.0.1';
    const send = () => post('/Contact', { ...contact, name: '' }, { remoteAddress });
    expect((await send()).statusCode).toBe(400);
    const { path, limit } = formPages['/Contact'];
    for (let tries = 1; tries < limit.perNetwork; tries += 1) {
      const answer = await server.inject({ method: 'POST', url: path, payload: {}, remoteAddress });
      expect(answer.statusCode).toBe(400);
    }
    const refused = await send();
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['content-type']).toContain('text/plain');
    expect(refused.headers['cache-control']).toBe('no-store');
    expect(refused.body).toMatch(/^Too many tries/);
  });
});

describe('a form sent from another site', () => {
  const text = 'From elsewhere';
  it.each([
    ['another site', { origin: 'https://evil.example' }],
    ['a page without an origin', { origin: 'null' }],
    ['another port', { origin: 'http://localhost:81' }],
    ['another site, by a browser that says so otherwise', { 'sec-fetch-site': 'cross-site' }],
    ['another site, by an old browser', { referer: 'https://evil.example/Contact' }],
    ['nobody knows where', {}],
  ])('%s is refused and stores nothing', async (_, headers) => {
    const before = await kept();
    const response = await post(
      '/Contact',
      { ...contact, text },
      { headers: { host: ours.host, ...form, ...headers } },
    );
    expect(response.statusCode).toBe(403);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(await kept()).toEqual(before);
  });

  it.each([
    ['by Sec-Fetch-Site', { 'sec-fetch-site': 'same-origin' }],
    ['by Referer', { referer: 'http://localhost:80/Contact' }],
  ])('is distinguished from a form of this site %s if Origin is missing', async (what, headers) => {
    const fields = { name: '', text: `Ours ${what}` };
    expect(
      (await post('/Feedback', fields, { headers: { host: ours.host, ...form, ...headers } })).statusCode,
    ).toBe(303);
  });

  it('is checked by ORIGIN if that is set, whatever the Host of the request', async () => {
    const from = (origin: string, host = 'localhost:80') =>
      post('/Feedback', { name: '', text: origin }, { headers: { origin, host, ...form } }, configured);
    expect((await from('https://jhalak.example')).statusCode).toBe(303);
    expect((await from('http://jhalak.example')).statusCode).toBe(403);
    expect((await from('http://evil.example', 'evil.example')).statusCode).toBe(403);
  });
});

describe('other content sent to a page', () => {
  it('is refused with a readable sentence', async () => {
    const response = await post('/LoginEmail', { email: 'a@b.c', password: 'a secret of mine' });
    expect(response.statusCode).toBe(405);
    expect(response.body).toContain('JavaScript');
    expect(response.body).not.toContain('secret');
    const json = await server.inject({ method: 'POST', url: '/Contact', headers: ours, payload: contact });
    expect(json.statusCode).toBe(415);
    const large = await post('/Feedback', { name: '', text: 'x'.repeat(300_000) });
    expect(large.statusCode).toBe(413);
  });
});
