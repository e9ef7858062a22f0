import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  /** The same URL through the proxy. */
  url: string;
  /** Connections stay open and new ones are accepted, but no bytes pass: a machine that hangs. */
  freeze(): void;
  thaw(): void;
  /** Cuts every connection and accepts none until `thaw`: a machine that is off. */
  cut(): void;
  close(): Promise<void>;
}

/** A proxy in front of a server on loopback, so that a test can make it unreachable. */
export async function tcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const state = { frozen: false, cut: false };
  const server = createServer((near) => {
    if (state.cut) return near.resetAndDestroy();
    const far = connect(Number(port), hostname);
    const pair = [near, far];
    for (const [one, other] of [pair, pair.toReversed()] as [Socket, Socket][]) {
      sockets.add(one);
      one.on('data', (bytes) => {
        if (!other.write(bytes)) one.pause();
      });
      one.on('drain', () => {
        if (!state.frozen) other.resume();
      });
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      if (state.frozen) one.pause();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = new URL(target);
  url.port = String(typeof address === 'object' && address ? address.port : 0);
  return {
    url: url.href,
    freeze() {
      state.frozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      Object.assign(state, { frozen: false, cut: false });
      for (const socket of sockets) socket.resume();
    },
    cut() {
      state.cut = true;
      for (const socket of sockets) socket.resetAndDestroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
