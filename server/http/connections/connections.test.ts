import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { senderTo } from '#testing/clients/tus-client.ts';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { type ConnectionLimits, limitConnections } from './connections.ts';

const generous: ConnectionLimits = {
  connections: 1000,
  unread: 1e9,
  slowest: 1024,
  slowFor: 60,
};
const megabyte = 1024 * 1024;
const piece = Buffer.alloc(megabyte / 16);

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** A server with these limits that sends as many megabytes as requested, at once or as a stream. */
async function serverWith(
  bounds: Partial<ConnectionLimits>,
): Promise<{ app: FastifyInstance; port: number }> {
  const app = Fastify({ forceCloseConnections: true });
  app.get<{ Params: { megabytes: string } }>('/:megabytes', async ({ params }) =>
    Buffer.alloc(Number(params.megabytes) * megabyte),
  );
  app.get<{ Params: { megabytes: string } }>('/streamed/:megabytes', async ({ params }) =>
    Readable.from(Array.from({ length: Number(params.megabytes) * 16 }, () => piece)),
  );
  app.post('/', async () => 'taken');
  limitConnections(app, ({ socket }) => socket.remoteAddress ?? '', { ...generous, ...bounds });
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  closing.push(() => app.close());
  return { app, port: Number(new URL(origin).port) };
}

const openOf = (app: FastifyInstance) =>
  new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)));

interface Line {
  socket: Socket;
  /** The bytes received so far. */
  got(): string;
  ended: Promise<unknown>;
  isOpen(): boolean;
}

async function lineTo(port: number, localAddress = '127.0.0.1', reads = true): Promise<Line> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  closing.push(() => socket.destroy());
  let got = '';
  if (reads)
    socket.on('data', (chunk) => {
      got += chunk;
    });
  // A closed connection can show as one of several errors.
  socket.on('error', () => undefined);
  const ended = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, 'connect');
  return { socket, got: () => got, ended, isOpen: () => !socket.destroyed };
}

/** Advances the monotonic clock by one minute. */
function passMinute(): void {
  const now = performance.now.bind(performance);
  const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
  closing.push(() => later.mockRestore());
}

describe('open connections', () => {
  it('above the maximum, the network with most connections loses the one that was idle longest', async () => {
    const { port } = await serverWith({ connections: 4 });
    const asha = await lineTo(port, '127.0.8.1');
    const greedy = [
      await lineTo(port, '127.0.8.2'),
      await lineTo(port, '127.0.8.2'),
      await lineTo(port, '127.0.8.2'),
    ];
    greedy[0]?.socket.write('GET /0 HTTP/1.1\r\nhost: x\r\n\r\n');
    await expect.poll(() => greedy[0]?.got()).toContain('200 OK');
    await lineTo(port, '127.0.8.3');
    // The first connection was used again, so the second one was idle longest.
    await greedy[1]?.ended;
    expect([asha, greedy[0], greedy[2]].map((line) => line?.isOpen())).toEqual([true, true, true]);
  });

  it('a connection with a request in progress is not closed while its client has an idle one', async () => {
    const { port } = await serverWith({ connections: 2 });
    const busy = await lineTo(port);
    busy.socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 4\r\n\r\n');
    busy.socket.write('th');
    const idle = await lineTo(port);
    await lineTo(port);
    await idle.ended;
    busy.socket.write('is');
    await expect.poll(busy.got).toContain('taken');
  });
});

describe('responses that the client does not read', () => {
  const asked = (megabytes: number) => `GET /${megabytes} HTTP/1.1\r\nhost: x\r\n\r\n`;

  it('are ended above the total limit, for the client with most of them, and only as many as needed', async () => {
    const { app, port } = await serverWith({ unread: 75 * megabyte });
    const asha = await lineTo(port, '127.0.8.1', false);
    asha.socket.write(asked(30));
    const greedy = await Promise.all([1, 2, 3].map(() => lineTo(port, '127.0.8.2', false)));
    await expect.poll(() => openOf(app)).toBe(4);
    for (const line of greedy) line.socket.write(asked(20));
    await expect.poll(() => openOf(app)).toBe(3);
    // The client notices the closed connection when it reads.
    for (const line of [asha, ...greedy]) line.socket.resume();
    await Promise.race(greedy.map(({ ended }) => ended));
    await expect.poll(() => asha.socket.bytesRead).toBeGreaterThan(30 * megabyte);
    const whole = () => greedy.filter(({ socket }) => socket.bytesRead > 20 * megabyte).length;
    await expect.poll(whole).toBe(2);
  });

  it('of the full server are at most 256 MB [long]', async () => {
    const server = await startTestServer();
    closing.push(() => server.close());
    /** One buffer for all responses, so that the test needs little memory. */
    const large = Buffer.alloc(30 * megabyte);
    /** The server's side of the connections of each client. */
    const sending = new Map<string, Socket[]>();
    server.app.get('/large', async (request) => {
      sending.set(request.ip, [...(sending.get(request.ip) ?? []), request.raw.socket]);
      return large;
    });
    const port = Number(new URL(await server.app.listen({ host: '127.0.0.1', port: 0 })).port);
    const left = (address: string) =>
      sending.get(address)?.filter(({ destroyed, writableLength }) => !destroyed && writableLength > megabyte)
        .length;
    const leaveUnread = async (address: string) => {
      const { socket } = await lineTo(port, address, false);
      socket.write('GET /large HTTP/1.1\r\nhost: localhost\r\n\r\n');
    };
    for (let nth = 0; nth < 3; nth += 1) await leaveUnread('127.0.9.1');
    for (let nth = 0; nth < 5; nth += 1) await leaveUnread('127.0.9.2');
    await expect.poll(() => [left('127.0.9.1'), left('127.0.9.2')]).toEqual([3, 5]);
    await leaveUnread('127.0.9.2');
    await expect.poll(() => sending.get('127.0.9.2')?.length).toBe(6);
    await expect.poll(() => [left('127.0.9.1'), left('127.0.9.2')]).toEqual([3, 5]);
  });
});

describe('slow downloads of several people behind one address', () => {
  const asked = 'GET /streamed/24 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';

  /** Reads slowly until it is told to hurry; returns how many bytes arrived. */
  async function readSlowly({ socket, ended }: Line, hurry: AbortSignal): Promise<number> {
    socket.on('data', () => {
      if (hurry.aborted) return;
      socket.pause();
      setTimeout(() => socket.resume(), 50);
    });
    await ended;
    return socket.bytesRead;
  }

  it('are finished, while unread responses behind the same address are ended', async () => {
    const { app, port } = await serverWith({ unread: 8 * megabyte });
    const newLines = (count: number) =>
      Promise.all(Array.from({ length: count }, () => lineTo(port, '127.0.8.2', false)));
    const [slow, unread] = await Promise.all([newLines(12), newLines(2)]);
    await expect.poll(() => openOf(app)).toBe(14);
    const hurry = new AbortController();
    const reading = slow.map((line) => readSlowly(line, hurry.signal));
    for (const { socket } of slow) socket.write(asked);
    for (const { socket } of unread) {
      socket.pause();
      socket.write('GET /20 HTTP/1.1\r\nhost: x\r\n\r\n');
    }
    await expect.poll(() => openOf(app)).toBeLessThanOrEqual(12);
    hurry.abort();
    for (const bytes of await Promise.all(reading)) expect(bytes).toBeGreaterThan(24 * megabyte);
    // The client notices the closed connection when it reads.
    for (const { socket } of unread) socket.resume();
    await Promise.all(unread.map(({ ended }) => ended));
    for (const { socket } of unread) expect(socket.bytesRead).toBeLessThan(20 * megabyte);
  });
});

describe('a slow request body', () => {
  it('gets 408 with one sentence, and a body above the minimum speed does not', async () => {
    const { port } = await serverWith({ slowest: 100, slowFor: 1 });
    const head = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 1000\r\n\r\n';
    const [slow, fast] = await Promise.all([lineTo(port), lineTo(port)]);
    for (const line of [slow, fast]) line.socket.write(head);
    // In each window of one second the fast client sends 500 bytes and the slow one 10.
    for (let sent = 0; sent < 1000; sent += 50) {
      fast.socket.write('x'.repeat(50));
      if (slow.isOpen()) slow.socket.write('x');
      await sleep(100);
    }
    await slow.ended;
    expect(slow.got()).toMatch(/^HTTP\/1\.1 408 /);
    expect(slow.got()).toContain('This request came too slowly. Please try again.');
    await expect.poll(fast.got).toContain('taken');
  });

  describe('sent to the full server', () => {
    let server: TestServer;
    let somebody: Person;
    let port: number;
    beforeAll(async () => {
      server = await startTestServer();
      somebody = await signUpSomebody(server);
      port = Number(new URL(await server.app.listen({ host: '127.0.0.1', port: 0 })).port);
    });
    afterAll(() => server.close());

    it('is aborted after a minute on every kind of route, and the bytes of a PATCH stay', async () => {
      const authorization = `authorization: ${somebody.headers.authorization}`;
      const sender = senderTo(`http://127.0.0.1:${port}`, somebody.token);
      const begun = await sender.begin('post', 100_000);
      expect(begun.status, begun.body).toBe(201);
      const upload = begun.headers.get('location') ?? '';
      const tus = [
        'tus-resumable: 1.0.0',
        'upload-offset: 0',
        'content-type: application/offset+octet-stream',
      ];
      const form = 'content-type: multipart/form-data; boundary=x';
      const heads: Record<string, string[]> = {
        json: ['POST /api/userdata HTTP/1.1', 'content-type: application/json', 'content-length: 100000'],
        chunked: [
          'POST /api/userdata HTTP/1.1',
          'content-type: application/json',
          'transfer-encoding: chunked',
        ],
        file: ['POST /api/s3Post/uploadPosts HTTP/1.1', authorization, form, 'content-length: 100000'],
        nowhere: ['POST /api/nowhere HTTP/1.1', 'content-type: application/json', 'content-length: 100000'],
        pieces: [`PATCH ${upload} HTTP/1.1`, authorization, ...tus, 'content-length: 100000'],
      };
      const lines = await Promise.all(
        Object.entries(heads).map(async ([name, head]) => {
          const line = await lineTo(port);
          line.socket.write(`${[...head, 'host: localhost'].join('\r\n')}\r\n\r\n`);
          if (name === 'file')
            line.socket.write('--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n');
          if (name === 'json') line.socket.write('"');
          const dripped = { bytes: 0 };
          const drip = setInterval(() => {
            if (!line.isOpen()) return;
            line.socket.write(name === 'chunked' ? '1\r\n \r\n' : ' ');
            dripped.bytes += 1;
          }, 50);
          closing.push(() => clearInterval(drip));
          return { name, line, dripped };
        }),
      );
      await expect.poll(() => Math.min(...lines.map(({ dripped }) => dripped.bytes))).toBeGreaterThan(30);
      expect(lines.filter(({ line }) => !line.isOpen())).toEqual([]);
      passMinute();
      for (const { name, line } of lines) {
        await line.ended;
        expect(line.got(), name).toMatch(/^HTTP\/1\.1 408 [\s\S]*too slowly/);
        const versions = line.got().match(/^tus-resumable: .*$/gim) ?? [];
        expect(versions, name).toEqual(name === 'pieces' ? ['tus-resumable: 1.0.0'] : []);
      }
      expect(await sender.offset(upload)).toBeGreaterThan(20);
    });
  });
});

it('a client has a minute for the headers of a request, and longer for its body (decision 0087)', async () => {
  const server = await startTestServer();
  closing.push(() => server.close());
  const { headersTimeout, requestTimeout } = server.app.server;
  expect({ headersTimeout, requestTimeout }).toEqual({ headersTimeout: 60_000, requestTimeout: 0 });
});
