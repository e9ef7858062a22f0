import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishPicture } from '#testing/fixtures/posts.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { loadSite } from './page-renderer.ts';

let server: TestServer;
let person: Person;
let picture: string;
let script: string;
beforeAll(async () => {
  server = await startTestServer({ ORIGIN: 'https://jhalak.example' }, { site: await loadSite() });
  person = await signUpSomebody(server);
  const id = await publishPicture(server.db, server.dataDir, person.id, 'A picture', new Date());
  picture = (await call(server, { url: `/api/post/getPost/${id}` })).data.imageurl;
  script = /\/assets\/[\w.-]+\.js/.exec((await server.inject({ url: '/' })).body)?.[0] ?? '';
});
afterAll(() => server.close());

it('the analytics service is allowed only where it is configured', async () => {
  const measured = await startTestServer({ ANALYTICS_ID: 'G-TEST123456' }, { site: await loadSite() });
  const policyAt = async (one: TestServer) =>
    String((await one.inject({ url: '/' })).headers['content-security-policy']);
  expect(await policyAt(measured)).toContain('googletagmanager.com');
  expect(await policyAt(server)).not.toContain('google');
  await measured.close();
});

type Kind = 'page' | 'framed' | 'nothing runs' | 'media' | 'worker' | 'styled';
const answers: [
  what: string,
  kind: Kind,
  status: number,
  ask: () => InjectOptions | Promise<InjectOptions>,
][] = [
  ['a page', 'page', 200, () => ({ url: '/' })],
  ['a page in Hindi', 'page', 200, () => ({ url: '/About?lang=hi' })],
  ['a page that is not there', 'page', 404, () => ({ url: '/nothing-here' })],
  ['a page asked for by HEAD', 'page', 200, () => ({ method: 'HEAD', url: '/' })],
  ['a page for frames on other sites', 'framed', 404, () => ({ url: '/embed/nothing' })],
  ['a page sent something', 'nothing runs', 405, () => ({ method: 'POST', url: '/' })],
  ['an address that is no text', 'nothing runs', 400, () => ({ url: '/%' })],
  ['a script', 'nothing runs', 200, () => ({ url: script })],
  ['the service worker', 'worker', 200, () => ({ url: '/service-worker.js' })],
  ['robots.txt', 'nothing runs', 200, () => ({ url: '/robots.txt' })],
  ['the site map', 'nothing runs', 200, () => ({ url: '/sitemap.xml' })],
  ['a call', 'nothing runs', 200, () => ({ url: '/api/config' })],
  ['a call asked for by HEAD', 'nothing runs', 200, () => ({ method: 'HEAD', url: '/api/config' })],
  ['a call by nobody', 'nothing runs', 401, () => ({ url: '/api/block' })],
  ['a call that is not there', 'nothing runs', 404, () => ({ url: '/api/nothing' })],
  [
    'a call that is refused',
    'nothing runs',
    400,
    () => ({ method: 'POST', url: '/api/signin', payload: {} }),
  ],
  [
    'a call that is too large',
    'nothing runs',
    413,
    () => ({ method: 'POST', url: '/api/signin', payload: { email: 'x'.repeat(300_000) } }),
  ],
  ['the documentation', 'styled', 200, () => ({ url: '/api/docs' })],
  ['the OpenAPI document', 'nothing runs', 200, () => ({ url: '/api/openapi.json' })],
  [
    'an upload in pieces',
    'nothing runs',
    412,
    () => ({ method: 'POST', url: '/api/uploads', headers: person.headers }),
  ],
  ['what uploads in pieces can do', 'nothing runs', 204, () => ({ method: 'OPTIONS', url: '/api/uploads' })],
  [
    'an export',
    'nothing runs',
    200,
    async () => ({
      url: (await call(server, { method: 'POST', url: '/api/export', headers: person.headers })).url,
    }),
  ],
  ['a stored file', 'media', 200, () => ({ url: picture })],
  ['a part of one', 'media', 206, () => ({ url: picture, headers: { range: 'bytes=0-9' } })],
  [
    'a part that it does not have',
    'media',
    416,
    () => ({ url: picture, headers: { range: 'bytes=99999999-' } }),
  ],
  [
    'a stored file that one has already',
    'media',
    304,
    async () => ({
      url: picture,
      headers: { 'if-none-match': String((await server.inject({ url: picture })).headers.etag) },
    }),
  ],
  ['whether it is alive', 'nothing runs', 200, () => ({ url: '/healthz' })],
  ['whether it is ready', 'nothing runs', 200, () => ({ url: '/readyz' })],
];

const policyOf = ({ headers }: LightMyRequestResponse) =>
  Object.fromEntries(
    String(headers['content-security-policy'])
      .split(/;\s*/)
      .map((directive) => directive.split(' ') as [string, ...string[]])
      .map(([name, ...values]) => [name, values]),
  );

describe.each(answers)('%s', (_what, kind, status, ask) => {
  it('has all security headers', async () => {
    const response = await server.inject(await ask());
    expect(response.statusCode, response.body.slice(0, 300)).toBe(status);
    expect(response.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'strict-transport-security': expect.stringMatching(/^max-age=\d{8,}/),
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'cross-origin-resource-policy': ['media', 'framed'].includes(kind) ? 'cross-origin' : 'same-origin',
      'permissions-policy': expect.stringContaining('geolocation=()'),
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(response.headers).not.toHaveProperty('x-powered-by');
    expect(response.headers).not.toHaveProperty('server');
    const policy = policyOf(response);
    switch (kind) {
      case 'page':
        expect(policy).toMatchObject({
          'default-src': ["'self'"],
          'object-src': ["'none'"],
          'base-uri': ["'none'"],
          'frame-ancestors': ["'none'"],
          'form-action': ["'self'"],
          'upgrade-insecure-requests': [],
        });
        for (const source of policy['script-src'] ?? [])
          expect(source).toMatch(/^('self'|'sha256-[\w+/]{43}=')$/);
        break;
      case 'framed':
        expect(policy).toMatchObject({
          'default-src': ["'none'"],
          'base-uri': ["'none'"],
          'form-action': ["'none'"],
          'frame-ancestors': ['*'],
        });
        expect(policy).not.toHaveProperty('script-src');
        break;
      case 'media':
        expect(policy).toEqual({ 'default-src': ["'none'"], sandbox: [] });
        break;
      case 'worker':
        expect(policy).toEqual({ 'default-src': ["'self'"] });
        break;
      case 'styled':
        expect(policy).toEqual({
          'default-src': ["'none'"],
          'style-src': ["'unsafe-inline'"],
          'frame-ancestors': ["'none'"],
        });
        break;
      default:
        expect(policy).toEqual({ 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] });
    }
  });
});

it('a site without https sends no HSTS header', async () => {
  const plain = await startTestServer({ ORIGIN: 'http://jhalak.example' });
  const { headers } = await plain.inject({ url: '/api/config' });
  expect(headers).not.toHaveProperty('strict-transport-security');
  await plain.close();
});

it('a page’s own scripts are exactly those in its policy', async () => {
  const response = await server.inject({ url: '/' });
  const inline = [...response.body.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)].filter(
    ([, attributes = '', code]) => code && !/type="(application\/(ld\+)?json)"/.test(attributes),
  );
  expect(inline.length).toBeGreaterThan(0);
  const allowed = policyOf(response)['script-src'] ?? [];
  for (const [, , code = ''] of inline) {
    const hash = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(code))).toString('base64');
    expect(allowed).toContain(`'sha256-${hash}'`);
  }
  expect(response.body).not.toMatch(/<[^>]+\son\w+=/);
});
