import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { cores, pin, processorTime, runScript } from './harness.ts';

/** An answer as it came over the wire. */
export interface Answer {
  status: number;
  headers: string[];
  body: Buffer;
}

/** Asks once, the way a browser does, and keeps every byte as it came. */
export async function ask(url: string, headers: Record<string, string>): Promise<Answer> {
  const request = get(url, { headers, agent: false });
  const [response] = await once(request, 'response');
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece);
  return { status: response.statusCode, headers: response.rawHeaders, body: Buffer.concat(pieces) };
}

export interface Bare {
  origin: string;
  child: ChildProcess;
}

/** A server of a few lines on `node:http` that gives this answer to everybody, on the core of what is measured. */
export async function startBare(answer: Answer): Promise<Bare> {
  const child = fork(new URL('bare-server.ts', import.meta.url));
  pin(child.pid, cores.measured);
  child.send({ headers: answer.headers, body: answer.body.toString('base64') });
  const [port] = await once(child, 'message');
  return { origin: `http://127.0.0.1:${port}`, child };
}

export interface Load {
  url: string;
  /** Asked one after the other, over and over; `url` where there are none. */
  paths?: string[];
  headers?: Record<string, string>;
  /** For so long, or so many requests. */
  seconds?: number;
  requests?: number;
  connections?: number;
}

/**
 * Seconds of processor time that a server uses in each second to have this answer ready, however few ask: it is made anew
 * when its time is over, and there is what the server does by the clock.
 */
export async function standingCost(
  pid: number,
  { url, headers = {} }: Load,
  seconds: number,
): Promise<number> {
  const before = processorTime(pid);
  const start = performance.now();
  while (performance.now() - start < seconds * 1000) {
    await ask(url, headers);
    await sleep(500);
  }
  return (processorTime(pid) - before) / ((performance.now() - start) / 1000);
}

/**
 * Asks a server as fast as it answers, from a process of its own on another core. Returns the requests it answers in a
 * second of its core's time, so that neither a slow client nor whatever else the machine does moves the figure. What it
 * does in each second anyway (`standing`) is taken from each second of the core once: on a busy machine that second is
 * spread over several of the clock's.
 */
export async function requestsPerCoreSecond(
  pid: number,
  load: Load & { seconds: number },
  standing = 0,
): Promise<number> {
  const before = processorTime(pid);
  const answered = await askOften(load);
  const used = processorTime(pid) - before - standing * load.seconds;
  if (answered === 0 || used <= 0)
    throw new Error(`${load.url}: too short to measure; give it more --seconds`);
  return (answered / used) * (1 - standing);
}

/** Returns how many requests were answered; throws where one was not, or not with success. */
export async function askOften(load: Load): Promise<number> {
  const { answered, failed } = await runScript<{ answered: number; failed: number }>(
    new URL('load-child.ts', import.meta.url),
    load,
    cores.measuring,
  );
  if (failed > 0) throw new Error(`${failed} of ${answered + failed} requests to ${load.url} failed`);
  return answered;
}
