import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '#server/platform/database/embedded.ts';
import {
  type Bench,
  cores,
  inTurns,
  type Measurement,
  percent,
  perSecond,
  pin,
  type Row,
} from './harness.ts';
import { askOften, requestsPerCoreSecond } from './load.ts';
import { withProgram } from './program.ts';

const hasNginx = spawnSync('nginx', ['-v']).status === 0;

/** Downloads of a video's file, against nginx with the same file on the same core. */
export const files: Measurement = {
  name: 'files',
  async run(bench) {
    if (!hasNginx) {
      bench.say('  left out: there is no nginx here (apt-get install nginx-light)');
      return [];
    }
    const filled = await bench.filled();
    return await withProgram(filled.url('small'), {}, async ({ origin, pid, dataDir }) => {
      const key = randomBytes(16).toString('hex');
      const folder = join(dataDir, 'media', key.slice(0, 2), key);
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'video.mp4'), randomBytes(4_000_000));
      const ours = `${origin}/media/${key}/video.mp4`;
      const nginx = await startNginx(dataDir);
      const theirs = `${nginx.origin}/${key.slice(0, 2)}/${key}/video.mp4`;
      const row = (what: string, range: string) =>
        compare(bench, what, range, [pid, ours], [nginx.pid, theirs]);
      try {
        return [
          await row('First 64 KB of a video', 'bytes=0-65535'),
          await row('1 MB from the middle of a video', 'bytes=1000000-1999999'),
        ];
      } finally {
        nginx.child.kill();
        await once(nginx.child, 'close');
      }
    });
  },
};

async function compare(
  { rounds, seconds }: Bench,
  what: string,
  range: string,
  [ourPid, ourUrl]: [number, string],
  [theirPid, theirUrl]: [number, string],
): Promise<Row> {
  const load = { seconds, headers: { range }, connections: 8 };
  await askOften({ ...load, url: ourUrl });
  const { ours, theirs, ratio } = await inTurns(
    rounds,
    () => requestsPerCoreSecond(ourPid, { ...load, url: ourUrl }),
    () => requestsPerCoreSecond(theirPid, { ...load, url: theirUrl }),
  );
  return {
    what,
    ours: perSecond(ours),
    against: `${perSecond(theirs)}, nginx`,
    ratio: percent(ratio),
    reach: '',
  };
}

interface Nginx {
  origin: string;
  pid: number;
  child: ChildProcess;
}

/** One nginx process that serves the media folder, with `sendfile` and without a log. */
async function startNginx(dataDir: string): Promise<Nginx> {
  const prefix = join(dataDir, 'nginx');
  await mkdir(join(prefix, 'temp'), { recursive: true });
  await chmod(dataDir, 0o755);
  const port = await freePort();
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path temp/${name};`,
  );
  const settings = `
    daemon off; master_process off; pid nginx.pid; error_log error.log;
    events { worker_connections 512; }
    http {
      ${temp.join(' ')}
      types { video/mp4 mp4; }
      access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000;
      server {
        listen 127.0.0.1:${port};
        root ${join(dataDir, 'media')};
        add_header cache-control "public, max-age=31536000, immutable";
      }
    }`;
  await writeFile(join(prefix, 'nginx.conf'), settings);
  const child = spawn('nginx', ['-p', prefix, '-c', 'nginx.conf', '-e', 'error.log'], { stdio: 'inherit' });
  pin(child.pid, cores.measured);
  const origin = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 100; tries += 1) {
    if (
      await fetch(origin).then(
        () => true,
        () => false,
      )
    )
      return { origin, pid: child.pid ?? 0, child };
    await sleep(50);
  }
  throw new Error('nginx does not answer');
}
