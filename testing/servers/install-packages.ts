import { execFileSync } from 'node:child_process';

/** Runs a program and ignores errors: the caller checks whether it helped. */
export function tryTo(command: string, options: string[], env: Record<string, string> = {}): void {
  try {
    execFileSync(command, options, { stdio: 'ignore', env: { ...process.env, ...env } });
  } catch {
    // The caller checks again.
  }
}

/** Tries to install packages, as root on Debian, without starting their services. */
export function tryToInstall(...packages: string[]): void {
  if (process.getuid?.() !== 0) return;
  // In this runlevel a package does not start its service.
  const env = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  tryTo('apt-get', ['update'], env);
  // Another run of the tests on this machine may be installing, too.
  const wait = ['-o', 'DPkg::Lock::Timeout=300'];
  tryTo('apt-get', ['install', '-y', ...wait, '--no-install-recommends', ...packages], env);
}
