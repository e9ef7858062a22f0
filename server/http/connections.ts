import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ipPrefixesOf } from '../platform/ip-prefix.ts';
import { Refusal } from '../platform/refusal.ts';
import { sendFailureOnSocket } from './malformed-requests.ts';

export interface ConnectionLimits {
  /** How many connections are open at most. */
  connections: number;
  /** Most bytes of answers that wait for their readers: of one client, and of all. */
  waitingEach: number;
  waiting: number;
  /** A body that brings less than this many bytes a second, over so many seconds, is cut. */
  slowest: number;
  slowFor: number;
}

/** What is sent for a reader who has stopped reading is held by its source as well, in bytes. */
const readAhead = 64 * 1024;
/** How often we look at bodies and answers, in milliseconds. */
const lookEvery = 100;

interface Connection {
  socket: Socket;
  client: string;
  /** Requests on it that are not yet answered. */
  open: number;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** What had come of the body when its speed was last looked at. */
  since: { at: number; bytes: number };
  /** What waits for the reader, and since when nothing of it was taken. */
  waits: { bytes: number; at: number };
}

/**
 * Bounds what clients hold without doing anything (docs/decisions/0026-fair-share.md): connections, bodies that hardly come, and
 * answers that are hardly read. Only where a bound is reached does anybody lose something, and it is who holds most.
 */
export function limitConnections(
  app: FastifyInstance,
  addressOf: (request: IncomingMessage) => string,
  bounds: ConnectionLimits,
): void {
  const connections = new Map<Socket, Connection>();
  /** Of each client, those least recently used first. */
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

  /** Of the client with the most connections: one that is asked nothing, or the one that has been asked longest ago. */
  function makeRoom(): void {
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
    if (connections.size > bounds.connections) makeRoom();
  });

  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket);
    if (!connection) return;
    use(connection);
    // Answered already by what is kept, and taken by the system's buffers: most requests are.
    if (response.writableEnded && response.writableLength === 0) return;
    const now = performance.now();
    const exchange: Exchange = {
      request,
      response,
      since: { at: now, bytes: request.socket.bytesRead },
      waits: { bytes: 0, at: now },
    };
    exchanges.add(exchange);
    connection.open += 1;
    response.once('close', () => {
      exchanges.delete(exchange);
      connection.open -= 1;
      if (connections.has(connection.socket)) use(connection);
    });
  });

  const look = setInterval(() => {
    const now = performance.now();
    for (const exchange of exchanges) {
      if (isTooSlow(exchange, now, bounds)) cut(exchange);
      measureWaiting(exchange, now);
    }
    dropWaiting(exchanges, addressOf, bounds);
  }, lookEvery);
  look.unref();
  app.addHook('onClose', async () => clearInterval(look));
}

/** Connections and bytes are counted by whole networks: to have many addresses in one costs nothing. */
const clientOf = (address: string) => ipPrefixesOf(address)[0] ?? '';

/** Whether the sender is slow: where we are, and do not take what has come, time does not count. */
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

/** Says why, where nothing has been answered, and ends the connection; what has come is kept as after any lost connection. */
function cut({ request, response }: Exchange): void {
  const { socket } = request;
  if (!response.headersSent) {
    sendFailureOnSocket(
      socket,
      new Refusal('invalid_input', 'This request came too slowly. Please try again.', undefined, 408),
    );
  }
  socket.destroySoon();
}

function measureWaiting({ response, waits }: Exchange, now: number): void {
  const bytes = response.writableLength;
  if (bytes === 0 || bytes < waits.bytes) waits.at = now;
  waits.bytes = bytes;
}

/** Ends answers of whoever has most waiting, those first of which nothing was taken for longest. */
function dropWaiting(
  exchanges: Iterable<Exchange>,
  addressOf: (request: IncomingMessage) => string,
  { waiting, waitingEach }: ConnectionLimits,
): void {
  const unread = [...exchanges].filter(({ waits }) => waits.bytes > 0);
  let all = unread.reduce((sum, { waits }) => sum + waits.bytes + readAhead, 0);
  // As long as all together have less than one may nobody need be looked at.
  if (all <= Math.min(waiting, waitingEach)) return;
  const clients = Object.entries(Object.groupBy(unread, ({ request }) => clientOf(addressOf(request))))
    .map(([, own = []]) => ({ own, bytes: own.reduce((sum, { waits }) => sum + waits.bytes + readAhead, 0) }))
    .toSorted((one, other) => other.bytes - one.bytes);
  for (const { own, bytes } of clients) {
    let left = bytes;
    for (const { request, waits } of own.toSorted((one, other) => one.waits.at - other.waits.at)) {
      if (left <= waitingEach && all <= waiting) break;
      left -= waits.bytes + readAhead;
      all -= waits.bytes + readAhead;
      request.socket.destroy();
    }
  }
}
