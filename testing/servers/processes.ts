import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { endSpareChildren } from '#server/media/children.ts';

/** The child processes of this one that are still running (Linux). */
export function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    try {
      return readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
        .split(' ')
        .filter(Boolean)
        .map(Number);
    } catch {
      return []; // The thread has ended in the meantime.
    }
  });
}

/** From now on, every new child of this process gets no processor, until `end` is called (Linux). */
export function starveChildren(): { pids: readonly number[]; end(): void } {
  endSpareChildren();
  const before = childrenOf(process.pid);
  const pids: number[] = [];
  const watching = setInterval(() => {
    for (const pid of childrenOf(process.pid)) {
      if (before.includes(pid) || pids.includes(pid)) continue;
      process.kill(pid, 'SIGSTOP');
      pids.push(pid);
    }
  }, 20);
  return { pids, end: () => clearInterval(watching) };
}

/** Waits for another child of this process than `known` that has this file open; returns its pid (Linux). */
export async function readerOf(path: string, known: readonly number[] = []): Promise<number> {
  for (;;) {
    const found = childrenOf(process.pid).find((pid) => !known.includes(pid) && holds(pid, path));
    if (found) return found;
    await sleep(10);
  }
}

function holds(pid: number, path: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`) === path;
      } catch {
        return false; // Closed meanwhile.
      }
    });
  } catch {
    return false; // The process has ended meanwhile.
  }
}
