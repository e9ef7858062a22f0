import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

export interface Usage {
  /** Resident memory in bytes; 0 if the process has ended. */
  memory: number;
  /** Processor time since it began, of all its threads, in seconds; NaN if it has ended. */
  seconds: number;
}

/** Linux counts processor time in these units, on every architecture that Node supports. */
const ticksPerSecond = 100;
const pageSize = 4096;

/** What a process has used so far. */
export async function usageOf(pid: number | undefined, platform = process.platform): Promise<Usage> {
  try {
    return platform === 'linux' ? await fromProc(pid) : await fromPs(pid);
  } catch {
    return { memory: 0, seconds: Number.NaN };
  }
}

async function fromProc(pid: number | undefined): Promise<Usage> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The second field is the name of the program, which may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3]);
  return { memory: field(24) * pageSize, seconds: (field(14) + field(15)) / ticksPerSecond };
}

async function fromPs(pid: number | undefined): Promise<Usage> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-o', 'time=', '-p', String(pid)]);
  const [kilobytes, time = ''] = stdout.trim().split(/\s+/);
  // macOS writes minutes and seconds, others hours too.
  const seconds = time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return { memory: Number(kilobytes) * 1024, seconds };
}
