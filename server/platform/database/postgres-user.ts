import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';

export interface OsUser {
  uid: number;
  gid: number;
}

/**
 * PostgreSQL refuses to run as root, so root runs it as another user: the owner of the existing data, else the
 * system's `postgres`, else `nobody`. Undefined for everyone who is not root.
 */
export function postgresUser(directory: string): OsUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  if (existsSync(directory)) {
    const { uid, gid } = statSync(directory);
    if (uid !== 0) return { uid, gid };
  }
  return idOf('postgres') ?? idOf('nobody');
}

function idOf(name: string): OsUser | undefined {
  const read = (flag: string) =>
    Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    return { uid: read('-u'), gid: read('-g') };
  } catch {
    return undefined;
  }
}

/**
 * The command that runs `program` as that user. The user may not be able to enter the folders above the program and its
 * data (a clone under root's own 0700 home), so on Linux it keeps one capability: to pass through them. The securebit
 * makes access(2), by which initdb looks for postgres, honour that capability too.
 */
export function commandAs(user: OsUser | undefined, program: string[]): string[] {
  if (!user) return program;
  const become = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
  const pass = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup'];
  if (works(['setpriv', ...become, ...pass])) return ['setpriv', ...become, ...pass, '--', ...program];
  if (works(['setpriv', ...become])) return ['setpriv', ...become, '--', ...program];
  // macOS has no setpriv, and its sudo needs no password from root.
  return ['sudo', '-u', `#${user.uid}`, '-g', `#${user.gid}`, '--', ...program];
}

function works([command = '', ...options]: string[]): boolean {
  try {
    execFileSync(command, [...options, 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
