import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Spoken {
  status: number;
  body: string;
  /** Number of bytes that had been sent when the response came. */
  sent: number;
  socket: Socket;
}

/**
 * Writes HTTP by hand: sends a head, then what `more` yields until it ends or a response comes.
 * Returns the response; the caller closes the connection.
 */
export async function speak(
  origin: string,
  head: string[],
  more: Iterable<string | Uint8Array> = [],
): Promise<Spoken> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  let received = '';
  let closed = false;
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.on('close', () => {
    closed = true;
  });
  // Resolves at the end of the connection, whatever ends it.
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(`${[...head, `host: ${hostname}:${port}`].join('\r\n')}\r\n\r\n`);
  let sent = 0;
  const isAnswered = () => /\r\n\r\n[\s\S]*\}\s*(\r\n0\r\n\r\n)?$/.test(received);
  for (const chunk of more) {
    if (closed || isAnswered()) break;
    sent += chunk.length;
    if (!socket.write(chunk)) await new Promise((resolve) => drained(socket, resolve));
    // The response is read between two chunks.
    await sleep(0);
  }
  while (!closed && !isAnswered()) await sleep(20);
  const [, status = '0'] = /^HTTP\/1\.1 (\d+)/.exec(received) ?? [];
  return { status: Number(status), body: received.slice(received.indexOf('{')), sent, socket };
}

function drained(socket: Socket, resolve: (value?: unknown) => void): void {
  const done = () => {
    socket.off('drain', done);
    socket.off('close', done);
    socket.off('data', done);
    resolve();
  };
  socket.on('drain', done);
  socket.on('close', done);
  socket.on('data', done);
}
