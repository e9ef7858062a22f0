import { chownSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandAs, postgresUser } from '#server/platform/database/postgres-user.ts';
import { type Guarded, startGuarded } from './guarded.ts';
import { filled } from './template.ts';

/** Writes the configuration around `deploy/nginx`, with folders of its own instead of the system's. */
export async function writeNginx(folder: string, site: Record<string, string>): Promise<string> {
  await mkdir(join(folder, 'cache'), { recursive: true });
  await writeFile(join(folder, 'site.conf'), await filled('nginx/jhalak.conf.template', site));
  const scratch = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `  ${kind}_temp_path ${join(folder, kind)};\n`,
  );
  const settings = join(folder, 'nginx.conf');
  await writeFile(
    settings,
    `daemon off;\nworker_processes 1;\npid ${join(folder, 'nginx.pid')};\nerror_log stderr warn;\n` +
      `events { worker_connections 4096; }\nhttp {\n  access_log off;\n${scratch.join('')}  include ${join(folder, 'site.conf')};\n}\n`,
  );
  return settings;
}

/** Starts nginx at `port` in front of these web servers, with the settings of `deploy/nginx`. */
export async function startNginx(
  program: string,
  webPorts: number[],
  port: number,
  folder: string,
): Promise<Guarded> {
  const settings = await writeNginx(folder, {
    WEBS: webPorts.map((web) => `server 127.0.0.1:${web} max_fails=0;`).join(' '),
    LISTEN: `127.0.0.1:${port}`,
    TLS: '',
    CACHE: join(folder, 'cache'),
    CACHE_SIZE: '1g',
  });
  const user = postgresUser(folder);
  if (user) for (const path of [folder, join(folder, 'cache')]) chownSync(path, user.uid, user.gid);
  const command = commandAs(user, [program, '-e', 'stderr', '-p', folder, '-c', settings]);
  const isReady = async () =>
    (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.status === 404;
  return await startGuarded('nginx', command, join(folder, 'nginx.log'), isReady);
}
