import { spawnSync } from 'node:child_process';

/*
 * `npm run reliability -- <what>`: the long form of the fault and load tests, with the figures they measure
 * (docs/reliability.md). Without a name it runs all of them, one after the other.
 */
const forms: Record<string, { files: string[]; settings: Record<string, string> }> = {
  kill: { files: ['e2e/kills.test.ts'], settings: { SERVER_KILLS: '200', POSTGRES_KILLS: '30' } },
  freeze: { files: ['server/boot/database-frozen.test.ts'], settings: { FREEZE_SECONDS: '30' } },
  storage: { files: ['e2e/storage-faults.test.ts'], settings: {} },
  stop: { files: ['e2e/stop-under-load.test.ts'], settings: { STOPS: '20' } },
  overload: { files: ['e2e/overload.test.ts'], settings: { OVERLOAD_SECONDS: '15' } },
  fair: { files: ['e2e/fair-share.test.ts'], settings: { FAIR_SECONDS: '10' } },
  topology: { files: ['e2e/topology.test.ts'], settings: { PART_KILLS: '10' } },
  hour: { files: ['e2e/mixed-load.test.ts'], settings: { MINUTES: '60' } },
};

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !forms[name]);
if (unknown) {
  process.stderr.write(`There is no ${unknown}; there are ${Object.keys(forms).join(', ')}.\n`);
  process.exit(1);
}
for (const [name, { files, settings }] of Object.entries(forms)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const { status } = spawnSync('vitest', ['run', ...files], {
    stdio: 'inherit',
    env: { ...settings, ...process.env, FIGURES: 'on' },
  });
  if (status !== 0) process.exitCode = 1;
}
