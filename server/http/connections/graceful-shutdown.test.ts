import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { startTestServer, type TestServer } from '#testing/servers/test-server.ts';

async function listening(settings: Record<string, string> = {}): Promise<[server: TestServer, port: number]> {
  const server = await startTestServer(settings);
  const origin = await server.app.listen({ host: '127.0.0.1', port: 0 });
  return [server, Number(new URL(origin).port)];
}

async function answerTo(asking: ClientRequest): Promise<[status: number | undefined, connection: unknown]> {
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  await answer.resume().toArray();
  return [answer.statusCode, answer.headers.connection];
}

it('during shutdown the server reports it, serves requests for DRAIN_SECONDS, and closes keep-alive connections after their response', async () => {
  const [server, port] = await listening({ DRAIN_SECONDS: '2' });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (path: string) => answerTo(request({ port, path, agent }).end());
  expect(await ask('/readyz')).toEqual([200, 'keep-alive']);
  const closing = server.close();
  expect(await ask('/readyz')).toEqual([503, 'close']);
  expect(await ask('/api/config')).toEqual([200, 'close']);
  expect(await ask('/healthz')).toEqual([200, 'close']);
  await closing;
  await expect(ask('/healthz')).rejects.toThrow('ECONNREFUSED');
  agent.destroy();
});

it('a request in progress is finished while new connections are refused', async () => {
  const [server, port] = await listening();
  const body = Buffer.from('{"figures":[]}');
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  const agent = new Agent({ keepAlive: true });
  const asking = request({ port, path: '/api/playback', method: 'POST', headers, agent });
  asking.write(body.subarray(0, 5));
  const [reached] = (await once(server.app.server, 'request')) as [IncomingMessage];
  expect(reached.url).toBe('/api/playback');
  const closing = server.close();
  const refused = async () => {
    const socket = connect(port, '127.0.0.1');
    const [outcome] = await Promise.race([once(socket, 'connect'), once(socket, 'error')]).catch(
      (error: Error) => [error],
    );
    socket.destroy();
    return String(outcome);
  };
  await expect.poll(refused).toContain('ECONNREFUSED');
  asking.end(body.subarray(5));
  expect(await answerTo(asking)).toEqual([400, 'close']);
  await closing;
  agent.destroy();
});

it('neither idle connections nor an endless request delay the shutdown for long [long]', async () => {
  const [server, port] = await listening();
  const agent = new Agent({ keepAlive: true });
  expect(await answerTo(request({ port, path: '/healthz', agent }).end())).toEqual([200, 'keep-alive']);
  const unused = connect(port, '127.0.0.1');
  await once(unused, 'connect');
  const headers = { 'content-type': 'application/json', 'content-length': 100 };
  const endless = request({ port, path: '/api/playback', method: 'POST', headers });
  const ended = once(endless, 'error');
  endless.write('{');
  await once(server.app.server, 'request');
  const closed = once(unused, 'close');
  await server.close();
  await Promise.all([closed, ended]);
  agent.destroy();
});
