import { DomUtils, parseDocument } from 'htmlparser2';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '#testing/servers/test-server.ts';
import { loadSite } from './page-renderer.ts';

let server: TestServer;
beforeAll(async () => {
  const TEAM = 'Asha Rao, https://www.linkedin.com/in/asha, https://x.com/asha; Binod';
  server = await startTestServer({ TEAM }, { site: await loadSite() });
});
afterAll(() => server.close());

it('/About shows exactly the people in the setting TEAM, the founder first, with their links', async () => {
  const { body } = await server.inject({ url: '/About' });
  const [, rest = ''] = body.split('The team</h2>');
  const [list] = DomUtils.getElementsByTagName('ul', parseDocument(rest));
  const people = DomUtils.getElementsByTagName('h3', list ?? []).map((name) => ({
    name: DomUtils.textContent(name),
    role: DomUtils.textContent(DomUtils.nextElementSibling(name) ?? []),
  }));
  expect(people).toEqual([
    { name: 'Asha Rao', role: 'Founder and CEO' },
    { name: 'Binod', role: 'Contributor' },
  ]);
  const links = DomUtils.getElementsByTagName('a', list ?? []).map(({ attribs }) => [
    attribs['aria-label'],
    attribs.href,
  ]);
  expect(links).toEqual([
    ['Asha Rao: professional network', 'https://www.linkedin.com/in/asha'],
    ['Asha Rao: short posts', 'https://x.com/asha'],
  ]);
});
