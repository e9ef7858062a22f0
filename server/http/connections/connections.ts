import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ipPrefixesOf } from '#server/platform/ip-prefix.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { sendFailureOnSocket } from './malformed-requests.ts';

export interface ConnectionLimits {
  /** Maximum of open connections. */
  connections: number;
  /** Maximum of response bytes that clients have not read yet, in total. */
  unread: number;
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
    const most = [...byClient.values()].reduce((largest, set) => (set.size > largest.size ? set : largest));
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
    for (const exchange of exchanges) if (isTooSlow(exchange, now, bounds)) cut(exchange);
    dropUnread([...exchanges], addressOf, bounds.unread);
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
      new Refusal('invalid_input', { what: 'slow' }, undefined, 408),
      response.getHeaders(),
    );
  }
  socket.destroySoon();
}

/**
 * Above the total, the client with most unread bytes loses the connections with most of them. A slow download is refilled as fast as it is
 * read, so it has few, however long it takes.
 */
function dropUnread(
  exchanges: readonly Exchange[],
  addressOf: (request: IncomingMessage) => string,
  most: number,
): void {
  const held = exchanges
    .map(({ request, response }) => ({ request, bytes: response.writableLength + readAhead }))
    .filter(({ bytes }) => bytes > readAhead)
    .toSorted((connection, other) => other.bytes - connection.bytes);
  const sumOf = (some: typeof held) => some.reduce((sum, { bytes }) => sum + bytes, 0);
  let all = sumOf(held);
  if (all <= most) return;
  const byClient = Map.groupBy(held, ({ request }) => clientOf(addressOf(request)));
  const heaviestFirst = [...byClient.values()].toSorted((client, other) => sumOf(other) - sumOf(client));
  for (const { request, bytes } of heaviestFirst.flat()) {
    if (all <= most) return;
    all -= bytes;
    request.socket.destroy();
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
