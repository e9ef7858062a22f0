import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

/*
 * The processes in which media tasks run. Starting one and loading FFmpeg and sharp takes half a second of a processor, so one that has done
 * its task well does the next one (docs/decisions/0003-media-in-children.md).
 */

/** Time after which a child without a task ends, in milliseconds. */
const idle = 30_000;
/** The maximum number of children without a task. */
export const mostSpare = 2;

const entry = fileURLToPath(new URL('./child.ts', import.meta.url));

/** `low`: the lowest of the system. `normal`: that of this process. */
export type MediaPriority = 'low' | 'normal';
// One for the process and not for each server in it.
let priority: MediaPriority = 'low';
/** Priority of the children from now on (docs/decisions/0074-busy-machines.md). */
export function setMediaPriority(next: MediaPriority): void {
  if (next !== priority) endSpareChildren();
  priority = next;
}

/** The last one is taken first. */
const spare = new Map<ChildProcess, NodeJS.Timeout>();

/** A child without a task: a spare one, or a new one. */
export function takeChild(): ChildProcess {
  const child = [...spare.keys()].findLast(({ connected }) => connected);
  if (!child) return startChild();
  forget(child);
  keepsProcess(child, true);
  return child;
}

/** Keeps a child that has done its task for the next one. */
export function returnChild(child: ChildProcess): void {
  if (!child.connected || spare.size >= mostSpare) {
    end(child);
    return;
  }
  spare.set(child, setTimeout(end, idle, child).unref());
  keepsProcess(child, false);
}

/** Ends the children without a task. */
export function endSpareChildren(): void {
  for (const child of spare.keys()) end(child);
}

/** A child stays connected for a moment after it is killed, so it is forgotten first: nobody may take it. */
function end(child: ChildProcess): void {
  forget(child);
  child.kill('SIGKILL');
}

function forget(child: ChildProcess): void {
  clearTimeout(spare.get(child));
  spare.delete(child);
}

/** Whether this process waits for the child before it exits. */
function keepsProcess(child: ChildProcess, does: boolean): void {
  const change = does ? 'ref' : 'unref';
  child[change]();
  child.channel?.[change]();
  (child.stderr as Socket | null)?.[change]();
}

function startChild(): ChildProcess {
  const child = fork(entry, [priority], {
    // Node's cache of compiled modules saves a third of the start of a child.
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
    execArgv: ['--max-old-space-size=256'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  // Whoever waits for its task hears of errors and of its end, too.
  child.on('error', () => undefined).once('close', () => forget(child));
  return child;
}
