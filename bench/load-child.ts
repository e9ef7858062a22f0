import autocannon from 'autocannon';
import type { Load } from './load.ts';

/** The client of a measurement, in a process of its own. */
const {
  url,
  paths,
  headers,
  seconds,
  requests,
  connections = 32,
} = JSON.parse(process.argv[2] ?? '') as Load;
const result = await autocannon({
  url,
  connections,
  ...(headers ? { headers } : {}),
  ...(paths ? { requests: paths.map((path) => ({ path })) } : {}),
  ...(requests ? { amount: requests } : { duration: seconds ?? 1 }),
});
const answered = result['2xx'];
process.stdout.write(JSON.stringify({ answered, failed: result.non2xx + result.errors + result.timeouts }));
