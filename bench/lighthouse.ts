import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { getStoryPeople } from '#contract/stories.ts';
import { provideBrowser } from '#testing/browser/browser.ts';
import { openDemo } from './demo.ts';
import { inMilliseconds, type Measurement, type Row } from './harness.ts';

/** Downloaded by `npx` when the measurement runs, and not a dependency: it has 176 MB. */
const lighthouse = 'lighthouse@13.5.0';
/** The least that performance may have; all else is at 100 (issue "Felt"). */
const fastEnough = 95;

interface Report {
  categories: Record<string, { score: number | null }>;
  audits: Record<string, { numericValue?: number }>;
}

/** Lighthouse's marks of the pages that people come for: its preset for phones, a slow 4G link and a processor slowed down four times. */
export const marks: Measurement = {
  name: 'lighthouse',
  async run(bench) {
    const site = await openDemo();
    try {
      const stories = await fetch(site.origin + getStoryPeople.path);
      const teller = ((await stories.json()) as { data: { userId: string }[] }).data[0]?.userId;
      const rows: Row[] = [];
      for (const [name, path] of [
        ['Home', '/'],
        ['Player', '/videoplayer'],
        ['Posts', '/ShowPosts'],
        ['A photo', `/post/${site.photoId}`],
        ['A story', `/story/${teller}`],
        ['A profile', `/user/${site.personId}`],
      ] as const) {
        const reports: Report[] = [];
        for (let round = 0; round < Math.min(3, bench.rounds); round += 1)
          reports.push(await reportOf(site.origin + path));
        rows.push(rowOf(name, middleOf(reports)));
        bench.say(`  ${name}: ${reports.map((report) => markOf(report, 'performance')).join(', ')}`);
      }
      return rows;
    } finally {
      await site.stop();
    }
  },
};

async function reportOf(address: string): Promise<Report> {
  const { stdout } = await promisify(execFile)(
    'npx',
    [
      ...['--yes', lighthouse, address, '--output=json', '--quiet'],
      '--chrome-flags=--headless --no-sandbox --disable-gpu',
    ],
    { env: { ...process.env, CHROME_PATH: provideBrowser() }, maxBuffer: 64 * 1024 * 1024 },
  );
  return JSON.parse(stdout) as Report;
}

const markOf = ({ categories }: Report, category: string) =>
  Math.round((categories[category]?.score ?? 0) * 100);

const middleOf = (reports: Report[]) =>
  reports.toSorted((one, other) => markOf(one, 'performance') - markOf(other, 'performance'))[
    reports.length >> 1
  ] as Report;

function rowOf(name: string, report: Report): Row {
  const performance = markOf(report, 'performance');
  const others = ['accessibility', 'best-practices', 'seo'].map((category) => markOf(report, category));
  const numberOf = (audit: string) => report.audits[audit]?.numericValue ?? Number.NaN;
  return {
    what: `${name}: performance / accessibility / best practices / SEO`,
    ours: [performance, ...others].join(' / '),
    against: `largest picture after ${(numberOf('largest-contentful-paint') / 1000).toFixed(1)} s, ${inMilliseconds(numberOf('total-blocking-time'))} blocked`,
    ratio: '',
    reach: `≥ ${fastEnough} / 100 / 100 / 100`,
    holds: performance >= fastEnough && others.every((mark) => mark === 100),
  };
}
