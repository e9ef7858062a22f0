import { expect, it } from 'vitest';
import { listenersReplaced, replacedListeners } from './request-listener.ts';

const found = (source: string) => replacedListeners([{ path: 'server/a.ts', source }]).length;

it.each([
  `app.server.removeAllListeners('request');`,
  `const [own] = app.server.listeners( 'request' );`,
  `server.emit("request", request, response);`,
])('the check refuses %s', (source) => {
  expect(found(source)).toBe(1);
});

it.each([
  `app.server.on('request', count);`,
  `app.server.prependListener('request', count);`,
  `app.server.emit('connection', socket);`,
  `Fastify({ serverFactory: (handle) => createServer(handle) });`,
])('the check allows %s', (source) => {
  expect(found(source)).toBe(0);
});

it('nothing in the server replaces the request listener', () => {
  expect(listenersReplaced()).toEqual([]);
});
