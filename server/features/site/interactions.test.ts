import { expect, it } from 'vitest';
import { call, startTestServer } from '#testing/servers/test-server.ts';

it.each([
  [{}, 'app'],
  [{ INTERACTIONS: 'web' }, 'web'],
])('/api/config tells where people like, comment and follow: with %j in the %s', async (settings, where) => {
  const server = await startTestServer(settings as Record<string, string>);
  expect((await call(server, { url: '/api/config' })).interactions).toBe(where);
  await server.close();
});
