import pg from 'pg';
import { behindOurProxy } from '#testing/servers/proxy.ts';
import { fillConsole, operators, operatorToken, statements } from './console/filling.ts';
import { inMilliseconds, type Measurement, milliseconds, type Row } from './harness.ts';
import { openKept } from './kept.ts';
import { withProgram } from './program.ts';

const size = { people: 1_000_000, rows: 100_000 };
const rounds = 50;
/** The first ones fill the caches. */
const warming = 10;
/** Milliseconds for 95 of 100. */
const most = 50;

/** A list of the console with one of its filters; `{…}` is a value of the site. */
type Asked = [what: string, path: string];

const lists: readonly Asked[] = [
  ['What waits', '/today'],
  ['Figures of 30 days', '/figures'],
  ['Figures of 12 months', '/figures?period=months'],
  ['Cases', '/reports'],
  ['Cases claimed by oneself', '/reports?state=mine'],
  ['Muted cases', '/reports?state=muted'],
  ['Decided cases', '/reports?state=decided'],
  ...['reel', 'post', 'story', 'comment', 'person', 'appeal'].map(
    (kind): Asked => [`Cases of the kind ${kind}`, `/reports?kind=${kind}`],
  ),
  ['Decided cases of the kind comment', '/reports?state=decided&kind=comment'],
  ...['en', 'hi', 'other'].map((one): Asked => [`Cases in the language ${one}`, `/reports?language=${one}`]),
  ['Counts of all filters', '/reports/counts'],
  ['Counts of a kind and a language', '/reports/counts?kind=reel&language=en'],
  ['A case', '/reports/{case}'],
  ['An appeal', '/reports/{appeal}'],
  ...['pending', 'completed', 'rejected'].map(
    (state): Asked => [`Withdrawals: ${state}`, `/withdrawals?state=${state}`],
  ),
  ['What waits for a second operator', '/proposals'],
  ['Withdrawals of a month', '/withdrawals?month=2026-06'],
  ['Rejected withdrawals of a month', '/withdrawals?state=rejected&month=2025-12'],
  ['A withdrawal', '/withdrawals/{withdrawal}'],
  ['Batches', '/payouts/batches'],
  ['A batch', '/payouts/batches/{batch}'],
  ['Ledger', '/ledger/entries'],
  ['Ledger: a step', '/ledger/entries?step=rejected'],
  ['Ledger: a month', '/ledger/entries?month=2026-02'],
  ['Ledger: a step of a month', '/ledger/entries?month=2026-02&step=rejected'],
  ['Ledger: a person', '/ledger/entries?about={creator}'],
  ['An entry of the ledger', '/ledger/entries/{entry}'],
  ['Differences of the audit', '/ledger/differences'],
  ['People', '/people'],
  ['People by a name', '/people?q=kavya'],
  ['People by a part that few have', '/people?q=zq99'],
  ['People by a part that none has', '/people?q=xyzzy'],
  ['People by one letter', '/people?q=a'],
  ['People by one letter that none begins with', '/people?q=7'],
  ['People by two letters', '/people?q=ka'],
  ['People by two letters that few have', '/people?q=zq'],
  ['People by two letters that none has', '/people?q=xx'],
  ['People by an address', '/people?q=asha7@people.example'],
  ['People by an id', '/people?q={creator}'],
  ['A person', '/people/{creator}'],
  ['Reels that failed', '/media'],
  ['Reels in processing', '/media?state=processing'],
  ['A reel that failed', '/media/{failed}'],
  ['Log', '/log'],
  ['Log: an operator', '/log?operator=asha7'],
  ['Log: an operator who did one thing', '/log?operator=rare'],
  ['Log: an act', '/log?act=report.close'],
  ['Log: an act that was done once', '/log?act=keys.rotate'],
  ['Log: about a case', '/log?about=report:{case}'],
  ['Log: days', '/log?from=2026-02-01&to=2026-02-02'],
  ['Log: an operator and an act', '/log?operator=rare&act=keys.rotate'],
  ['Log: what was taken down, in words', '/log?act=content.take-down'],
  ['Log: an act in words, and what was done to the same', '/log/{act}'],
  ['Messages', '/messages'],
  ['Feedback', '/messages?kind=feedback'],
  ['Copies to judge', '/copies'],
  ['All judged copies', '/copies?which=all'],
  ['A copy', '/copies/{copy}'],
  ['Months in which views wait', '/months/waiting'],
];

/** Every list of operators with each of its filters, first page, over HTTP, on a site of a million people. */
export const consoleLists: Measurement = {
  name: 'console',
  async run({ say }) {
    const databases = await openKept('console', statements(size).join(), async ({ empty }) => {
      say(`Filling a site of ${size.people.toLocaleString('en')} people …`);
      await fillConsole(await empty('site'), size);
    });
    try {
      const url = databases.url('site');
      const values = await valuesOf(url);
      return await withProgram(url, { ...behindOurProxy, ROLE: 'web' }, async ({ origin }) => {
        const rows: Row[] = [];
        for (const [nth, [what, path]] of lists.entries()) {
          const address = `${origin}/api/operator${path.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '')}`;
          rows.push(await measure(what, address, nth % operators));
        }
        return rows;
      });
    } finally {
      await databases.stop();
    }
  },
};

/**
 * Another operator asks for each list, and each request has another address, so that no rate limit refuses it. Before each request comes one to
 * `/healthz`, which needs no database and shows how busy the machine is.
 */
async function measure(what: string, address: string, operator: number): Promise<Row> {
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = -warming; round < rounds; round += 1) {
    const headers = {
      authorization: `Bearer ${operatorToken(operator)}`,
      'x-forwarded-for': `10.${operator}.${round + warming}.1`,
    };
    const ask = (url: URL) =>
      milliseconds(async () => {
        const response = await fetch(url, { headers });
        const body = await response.text();
        if (!response.ok) throw new Error(`${what}: ${response.status} ${body}`);
      });
    const url = new URL(address);
    const taken = { bare: await ask(new URL('/healthz', url)), ours: await ask(url) };
    if (round < 0) continue;
    ours.push(taken.ours);
    bare.push(taken.bare);
  }
  return {
    what: `${what}, 95 % within`,
    ours: inMilliseconds(within(ours, 0.95)),
    against: `half within ${inMilliseconds(within(ours, 0.5))}; /healthz ${inMilliseconds(within(bare, 0.95))}`,
    ratio: '',
    reach: `≤ ${most} ms`,
    holds: within(ours, 0.95) <= most,
  };
}

/** The time within which this share was done. */
function within(taken: readonly number[], share: number): number {
  const sorted = taken.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

async function valuesOf(url: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(`select
      (select id from cases where kind = 'reel' and closed_at is null order by due_at limit 1) as case,
      (select id from cases where kind = 'appeal' and closed_at is null order by due_at limit 1) as appeal,
      (select id from withdrawals where state = 'pending' order by requested_at limit 1) as withdrawal,
      (select creator_id from withdrawals where state = 'completed' order by requested_at limit 1) as creator,
      (select id from ledger_transactions order by posted_at limit 1) as entry,
      (select id from audit_log where target_kind = 'reel' order by acted_at desc limit 1) as act,
      (select id from payout_batches order by made_at limit 1) as batch,
      (select id from reels where state = 'failed' order by uploaded_at limit 1) as failed,
      (select work_id from copies where verdict is null order by asked_at limit 1) as copy`);
    return rows[0];
  } finally {
    await client.end();
  }
}
