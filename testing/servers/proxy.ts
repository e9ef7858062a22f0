import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Settings of a server behind a proxy on this machine: a test that sets the client address of each request. */
export const behindOurProxy = { TRUST_PROXY: 'on', ORIGIN: 'http://jhalak.test' };

export interface Proxy {
  origin: string;
  /** Requests that could not be forwarded, or whose response was cut off, with the reason. */
  lost: string[];
  /** Responses by each server behind it. */
  answered: Map<string, number>;
  add(origin: string): void;
  close(): Promise<void>;
}

/**
 * The load balancer in front of several servers: reuses connections, rotates among those whose `/readyz` returns 200,
 * which it polls every tenth of a second, and never sends a request twice. Each request gets a client address of its own.
 */
export async function startProxy(): Promise<Proxy> {
  const agent = new Agent({ keepAlive: true });
  const behind = new Map<string, boolean>();
  const answered = new Map<string, number>();
  const lost: string[] = [];
  let count = 0;

  function handOn(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const ready = [...behind].filter(([, isReady]) => isReady).map(([origin]) => origin);
    const origin = ready[count++ % ready.length];
    const fail = (why: string) => {
      lost.push(`${incoming.method} ${incoming.url}: ${why}`);
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502).end();
    };
    if (!origin) {
      fail('nobody is ready');
      return;
    }
    const address = `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`;
    const { connection: _ours, ...headers } = incoming.headers;
    const sending = request(
      `${origin}${incoming.url}`,
      { method: incoming.method, agent, headers: { ...headers, 'x-forwarded-for': address } },
      (answer) => {
        const { connection: _theirs, ...headers } = answer.headers;
        outgoing.writeHead(answer.statusCode ?? 502, headers);
        answer.on('error', (error) => fail(error.message));
        answer.on('end', () => answered.set(origin, (answered.get(origin) ?? 0) + 1));
        answer.pipe(outgoing);
      },
    );
    sending.on('error', (error) => fail(`${origin} ${error.message}`));
    incoming.pipe(sending);
  }

  let isOpen = true;
  const watching = (async () => {
    while (isOpen) {
      await Promise.all(
        [...behind.keys()].map(async (origin) => {
          const isReady = await fetch(`${origin}/readyz`).then(
            (answer) => answer.ok,
            () => false,
          );
          behind.set(origin, isReady);
        }),
      );
      await sleep(100);
    }
  })();
  const server = createServer(handOn).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  return {
    origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    lost,
    answered,
    add: (origin) => behind.set(origin, false),
    async close() {
      isOpen = false;
      await watching;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      agent.destroy();
    },
  };
}
