import {
  type Bench,
  inMilliseconds,
  inTurns,
  type Measurement,
  percent,
  perSecond,
  type Row,
} from './harness.ts';
import { ask, askOften, requestsPerCoreSecond, standingCost, startBare } from './load.ts';
import { type Running, withProgram } from './program.ts';

/** Headers of a browser on which a response may depend. */
const browser = { 'accept-encoding': 'gzip, deflate, br', 'accept-language': 'en-IN,en;q=0.9,hi;q=0.8' };

/** Compares one URL of the program with a bare server that sends the same response and headers. */
async function againstBare(bench: Bench, program: Running, what: string, path: string): Promise<Row> {
  const url = `${program.origin}${path}`;
  const bare = await startBare(await ask(url, browser));
  const load = { headers: browser, seconds: bench.seconds };
  try {
    // Both are warmed up before anything is counted.
    await askOften({ ...load, url });
    await askOften({ ...load, url: bare.origin });
    const standing = await standingCost(program.pid, { ...load, url }, 2 * bench.seconds);
    const { ours, theirs, ratio } = await inTurns(
      bench.rounds,
      () => requestsPerCoreSecond(program.pid, { ...load, url }, standing),
      () => requestsPerCoreSecond(bare.child.pid ?? 0, { ...load, url: bare.origin }),
    );
    return {
      what,
      ours: perSecond(ours),
      against: `${perSecond(theirs)}, bare node:http; ${inMilliseconds(standing * 1000)} of background work per second`,
      ratio: percent(ratio),
      reach: '≥ 70 %',
      holds: ratio >= 0.7,
    };
  } finally {
    bare.child.disconnect();
  }
}

const measured = (name: string, addresses: [what: string, path: string][]): Measurement => ({
  name,
  async run(bench) {
    const filled = await bench.filled();
    return await withProgram(filled.url('large'), {}, async (program) => {
      const rows: Row[] = [];
      for (const [what, path] of addresses) rows.push(await againstBare(bench, program, what, path));
      return rows;
    });
  },
});

export const feed = measured('feed', [
  ['Feed page of 24 reels, of 1,000,000', '/api/reel/getallReels?limit=24'],
  ['Page of 24 people, of 100,000', '/api/getallUser?limit=24'],
]);

export const home = measured('home', [
  ['Home, rendered by the server', '/'],
  ['Posts, rendered by the server', '/ShowPosts'],
]);
