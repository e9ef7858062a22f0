import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ipPrefixesOf } from '#server/platform/ip-prefix.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { sendFailureOnSocket } from './malformed-requests.ts';

export interface ConnectionLimits {
  /** Maximum of open connections. */
  connections: number;
  /** Maximum of unread response bytes, of responses that the client still reads too. */
  unread: number;
  /** Maximum of bytes that the client has not read for `stalledFor` seconds, for one client and in total. */
  stalledEach: number;
  stalled: number;
  stalledFor: number;
  /** Minimum speed of a request body in bytes per second, measured over `slowFor` seconds. */
  slowest: number;
  slowFor: number;
}

/** Bytes that the source of a response buffers in addition, when the client has stopped reading. */
const readAhead = 64 * 1024;
/** Interval in which bodies and responses are checked, in milliseconds. */
const checkEvery = 100;

interface Connection {
  socket: Socket;
  client: string;
  /** Number of requests in progress. */
  open: number;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** Time and size of the body at the last speed check. */
  since: { at: number; bytes: number };
  /** Unread response bytes; how many the system has taken from the socket, and when it last took some. */
  unread: { bytes: number; taken: number; at: number };
}

/**
 * Limits what slow and idle clients hold (docs/decisions/0026-fair-share.md): connections, slow request bodies, and unread
 * responses. Connections are closed only when a limit is reached, and then those of the client that holds most.
 */
export function limitConnections(
  app: FastifyInstance,
  addressOf: (request: IncomingMessage) => string,
  bounds: ConnectionLimits,
): void {
  const connections = new Map<Socket, Connection>();
  /** Connections of each client, least recently used first. */
  const byClient = new Map<string, Set<Connection>>();
  const exchanges = new Set<Exchange>();

  function use(connection: Connection): void {
    const own = byClient.get(connection.client) ?? new Set();
    own.delete(connection);
    byClient.set(connection.client, own.add(connection));
  }

  function end(connection: Connection): void {
    connections.delete(connection.socket);
    const own = byClient.get(connection.client);
    own?.delete(connection);
    if (own?.size === 0) byClient.delete(connection.client);
  }

  /** Closes a connection of the client with most connections: an idle one if possible, else the least recently used one. */
  function closeOne(): void {
    const most = [...byClient.values()].reduce((one, other) => (other.size > one.size ? other : one));
    const [longest] = most;
    const victim = [...most].find(({ open }) => open === 0) ?? longest;
    if (!victim) return;
    end(victim);
    victim.socket.destroy();
  }

  app.server.on('connection', (socket: Socket) => {
    const connection = { socket, client: clientOf(socket.remoteAddress ?? ''), open: 0 };
    connections.set(socket, connection);
    use(connection);
    socket.once('close', () => end(connection));
    if (connections.size > bounds.connections) closeOne();
  });

  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket);
    if (!connection) return;
    use(connection);
    // Most responses come from the response cache and are already in the system's buffers.
    if (response.writableEnded && response.writableLength === 0) return;
    const now = performance.now();
    const exchange: Exchange = {
      request,
      response,
      since: { at: now, bytes: request.socket.bytesRead },
      unread: { bytes: 0, taken: 0, at: now },
    };
    exchanges.add(exchange);
    connection.open += 1;
    response.once('close', () => {
      exchanges.delete(exchange);
      connection.open -= 1;
      if (connections.has(connection.socket)) use(connection);
    });
  });

  const timer = setInterval(() => {
    const now = performance.now();
    for (const exchange of exchanges) {
      if (isTooSlow(exchange, now, bounds)) cut(exchange);
      measureUnread(exchange, now);
    }
    const unread = [...exchanges].filter(({ unread }) => unread.bytes > 0);
    const stalled = unread.filter(({ unread }) => now - unread.at >= bounds.stalledFor * 1000);
    dropUnread(stalled, addressOf, { each: bounds.stalledEach, inAll: bounds.stalled });
    const left = unread.filter(({ request }) => !request.socket.destroyed);
    dropUnread(left, addressOf, { each: Number.POSITIVE_INFINITY, inAll: bounds.unread });
  }, checkEvery);
  timer.unref();
  app.addHook('onClose', async () => clearInterval(timer));
}

/** Clients are whole networks here, because a client can have many addresses in one network for free. */
const clientOf = (address: string) => ipPrefixesOf(address)[0] ?? '';

/** Whether the client sends too slowly. Time in which we do not read what has arrived does not count. */
function isTooSlow(
  { request, since }: Exchange,
  now: number,
  { slowest, slowFor }: ConnectionLimits,
): boolean {
  if (request.complete || request.destroyed) return false;
  const isOurs = request.readableLength >= request.readableHighWaterMark;
  if (!isOurs && now - since.at < slowFor * 1000) return false;
  const bytes = request.socket.bytesRead;
  const came = bytes - since.bytes;
  since.at = now;
  since.bytes = bytes;
  return !isOurs && came < slowest * slowFor;
}

/** Sends 408 if no response has begun, and closes the connection. Received bytes of an upload stay, as after any lost connection. */
function cut({ request, response }: Exchange): void {
  const { socket } = request;
  if (!response.headersSent) {
    sendFailureOnSocket(
      socket,
      new Refusal('invalid_input', 'This request came too slowly. Please try again.', undefined, 408),
      response.getHeaders(),
    );
  }
  socket.destroySoon();
}

/**
 * The number of waiting bytes does not show whether the client reads: a slow download is refilled as fast as it is read. The system takes
 * bytes in batches, on a slow line one in several seconds.
 */
function measureUnread({ request: { socket }, response, unread }: Exchange, now: number): void {
  const taken = socket.bytesWritten - socket.writableLength;
  unread.bytes = response.writableLength;
  if (unread.bytes === 0 || taken > unread.taken) unread.at = now;
  unread.taken = taken;
}

/** Closes connections of the clients with most of these unread bytes, longest unread first. */
function dropUnread(
  slow: readonly Exchange[],
  addressOf: (request: IncomingMessage) => string,
  { each, inAll }: { each: number; inAll: number },
): void {
  let all = slow.reduce((sum, { unread }) => sum + unread.bytes + readAhead, 0);
  // If the total is within the limit of one client, no client can be above its limit.
  if (all <= Math.min(inAll, each)) return;
  const clients = Object.entries(Object.groupBy(slow, ({ request }) => clientOf(addressOf(request))))
    .map(([, own = []]) => ({
      own,
      bytes: own.reduce((sum, { unread }) => sum + unread.bytes + readAhead, 0),
    }))
    .toSorted((one, other) => other.bytes - one.bytes);
  for (const { own, bytes } of clients) {
    let left = bytes;
    for (const { request, unread } of own.toSorted((one, other) => one.unread.at - other.unread.at)) {
      if (left <= each && all <= inAll) break;
      left -= unread.bytes + readAhead;
      all -= unread.bytes + readAhead;
      request.socket.destroy();
    }
  }
}

/** A client that is still sending may send this much more after the response, so that it gets to read the response. */
const [maxBytesAfterResponse, maxSecondsAfterResponse] = [64 * 1024 * 1024, 30];

/** Closes connections that continue to send a request body after the response: Node would read such a body to its end, however long. */
export function closeEndlessBodies(app: FastifyInstance): void {
  app.addHook('onResponse', (request, _reply, done) => {
    done();
    const { complete, socket } = request.raw;
    // A request made in process has no real connection.
    if (complete !== false || !socket || socket.destroyed || socket.bytesRead === undefined) return;
    // The body is no longer read, so the remaining bytes are discarded.
    request.raw.unpipe();
    request.raw.resume();
    const start = { bytes: socket.bytesRead, at: performance.now() };
    const watch = setInterval(() => {
      const passed = performance.now() - start.at;
      if (request.raw.complete || socket.destroyed) clearInterval(watch);
      else if (
        socket.bytesRead - start.bytes > maxBytesAfterResponse ||
        passed > maxSecondsAfterResponse * 1000
      )
        socket.destroy();
    }, 100);
    watch.unref();
  });
}
