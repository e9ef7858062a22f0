import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { cores, pin, processorTime, runScript } from './harness.ts';

/** A response as it came over the wire. */
export interface Answer {
  status: number;
  headers: string[];
  body: Buffer;
}

/** Sends one request as a browser does, and returns the unchanged response. */
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

/** A minimal `node:http` server that returns this response to everybody, on the core of the measured program. */
export async function startBare(answer: Answer): Promise<Bare> {
  const child = fork(new URL('bare-server.ts', import.meta.url));
  pin(child.pid, cores.measured);
  child.send({ headers: answer.headers, body: answer.body.toString('base64') });
  const [port] = await once(child, 'message');
  return { origin: `http://127.0.0.1:${port}`, child };
}

export interface Load {
  url: string;
  /** Requested in turns; only `url` by default. */
  paths?: string[];
  headers?: Record<string, string>;
  /** Duration, or number of requests. */
  seconds?: number;
  requests?: number;
  connections?: number;
}

/**
 * Seconds of processor time per second that a server needs to keep this response cached, even with few requests: rendering it
 * again when it expires, and its timers.
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
 * Sends requests to a server as fast as it answers, from a process on another core. Returns the requests that it answers per
 * second of its core's time, so that neither a slow client nor other load on the machine affects the figure. The fixed cost
 * per second (`standing`) is subtracted once for each second of the core: on a busy machine that second is
 * spread over several seconds of wall-clock time.
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

/** Returns the number of successful requests; throws if one failed. */
export async function askOften(load: Load): Promise<number> {
  const { answered, failed } = await runScript<{ answered: number; failed: number }>(
    new URL('load-child.ts', import.meta.url),
    load,
    cores.measuring,
  );
  if (failed > 0) throw new Error(`${failed} of ${answered + failed} requests to ${load.url} failed`);
  return answered;
}
