import { spawnSync } from 'node:child_process';

/*
 * `npm run audit`: known vulnerabilities of the runtime dependencies, high or critical. If the registry
 * does not answer it says so: that is neither a finding nor a proof of safety.
 */
const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--audit-level=high', '--json'], {
  encoding: 'utf8',
});
const report = asJson(stdout) as {
  message?: string;
  vulnerabilities?: Record<string, { severity: string; range: string }>;
};
if (!report.vulnerabilities) {
  process.stdout.write(
    `NOT CHECKED: the registry does not answer audits (${report.message ?? 'no answer'}).\n`,
  );
} else {
  const vulnerabilities = Object.entries(report.vulnerabilities).filter(([, { severity }]) =>
    ['high', 'critical'].includes(severity),
  );
  for (const [name, { severity, range }] of vulnerabilities)
    process.stdout.write(`${severity}: ${name} ${range}\n`);
  process.stdout.write(`${vulnerabilities.length} known vulnerabilities, high or worse\n`);
  process.exitCode = vulnerabilities.length === 0 ? 0 : 1;
}

function asJson(text: string): object {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
