import { execFileSync } from 'node:child_process';

/** Runs a program and says nothing: whether it helped is seen by looking again. */
export function tryTo(command: string, options: string[], env: Record<string, string> = {}): void {
  try {
    execFileSync(command, options, { stdio: 'ignore', env: { ...process.env, ...env } });
  } catch {
    // Seen by looking again.
  }
}

/** As root on Debian, tries to install packages, without starting what services they bring. */
export function tryToInstall(...packages: string[]): void {
  if (process.getuid?.() !== 0) return;
  // In this runlevel a package does not start its service.
  const env = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  tryTo('apt-get', ['update'], env);
  tryTo('apt-get', ['install', '-y', '--no-install-recommends', ...packages], env);
}
