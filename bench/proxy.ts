import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Proxy {
  origin: string;
  /** Bytes that were sent to the server, including request headers. */
  sent(): number;
  /** Cuts the connection that carries the byte with this number, once. */
  cutAfter(bytes: number): void;
  close(): Promise<void>;
}

interface Link {
  /** Bandwidth per direction, shared by all connections; unlimited by default. */
  bitsPerSecond?: number;
  /** Round-trip time in milliseconds. */
  roundTrip?: number;
}

/** Bytes are delivered in order, no faster than the bandwidth. */
class Line {
  #freeAt = 0;
  readonly #link: Link;
  constructor(link: Link) {
    this.#link = link;
  }

  /** Milliseconds from now until these bytes arrive at the other side. */
  take(bytes: number): number {
    const { bitsPerSecond = Number.POSITIVE_INFINITY, roundTrip = 0 } = this.#link;
    const now = performance.now();
    this.#freeAt = Math.max(now, this.#freeAt) + (bytes * 8 * 1000) / bitsPerSecond;
    return this.#freeAt - now + roundTrip / 2;
  }
}

/** A TCP proxy with the bandwidth and latency of a phone's connection, which can cut connections. */
export async function openProxy(origin: string, link: Link): Promise<Proxy> {
  const { port } = new URL(origin);
  const [up, down] = [new Line(link), new Line(link)];
  const open = new Set<Socket>();
  let sent = 0;
  let cutAt = Number.POSITIVE_INFINITY;

  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ host: '127.0.0.1', port: Number(port), noDelay: true });
    for (const socket of [client, upstream]) {
      open.add(socket);
      // Either end may close at any time; then the other one is closed as well.
      socket
        .on('error', () => undefined)
        .on('close', () => {
          open.delete(socket);
          (socket === client ? upstream : client).destroy();
        });
    }
    pass(client, upstream, up, (bytes) => {
      sent += bytes;
      if (sent < cutAt) return true;
      cutAt = Number.POSITIVE_INFINITY;
      client.destroy();
      return false;
    });
    pass(upstream, client, down, () => true);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent: () => sent,
    cutAfter(bytes) {
      cutAt = bytes;
    },
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** At most this many milliseconds of data are read ahead of the line. */
const ahead = 100;

function pass(from: Socket, to: Socket, line: Line, goesOn: (bytes: number) => boolean): void {
  from.on('data', (bytes) => {
    if (!goesOn(bytes.length)) return;
    const wait = line.take(bytes.length);
    const deliver = () => {
      if (to.destroyed) return;
      if (!to.write(bytes)) {
        from.pause();
        to.once('drain', () => from.resume());
      }
    };
    if (wait < 1) return deliver();
    setTimeout(deliver, wait);
    if (wait <= ahead) return;
    from.pause();
    setTimeout(() => from.resume(), wait - ahead);
  });
  from.on('end', () => setTimeout(() => to.end(), line.take(0)));
}
