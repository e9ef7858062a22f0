import { Link } from 'react-router';
import type { LedgerStep } from '#contract/ledger.ts';
import {
  type LedgerEntry,
  type LedgerEntryCase,
  listLedger,
  showLedgerEntry,
} from '#contract/ledger-entries.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';
import { CaseFrame } from './case-frame.tsx';
import { ExportLedger } from './export-ledger.tsx';
import { Facts, Section } from './facts.tsx';
import { LastAudit } from './last-audit.tsx';
import { type CaseProps, type Part, RowHead } from './list-part.tsx';
import { PersonLink } from './person-link.tsx';

/** A list of its own: no script has the schemas of the contract. */
const steps = ['requested', 'completed', 'rejected', 'returned'] as const satisfies readonly LedgerStep[];

/** Every entry of the ledger. */
export const ledger: Part<LedgerEntry, LedgerEntryCase> = {
  id: 'ledger',
  title: 'console.part.ledger',
  empty: 'console.ledgerNone',
  Above: () => (
    <div className="grid gap-3">
      <LastAudit />
      <ExportLedger steps={steps} />
    </div>
  ),
  filters: [
    { name: 'about', label: 'console.filter.whose', input: 'search' },
    {
      name: 'step',
      label: 'console.filter.step',
      options: [
        { value: '', label: 'console.all' },
        ...steps.map((value) => ({ value, label: `console.step.${value}` as const })),
      ],
    },
    { name: 'month', label: 'console.filter.posted', input: 'month' },
  ],
  async fetchPage({ step, ...filters }, cursor, signal) {
    const known = steps.find((one) => one === step);
    const query = { ...filters, ...(known ? { step: known } : {}), ...(cursor ? { cursor } : {}) };
    const { data: items, nextCursor } = await call(listLedger, { query }, { signal });
    return { items, nextCursor };
  },
  Row,
  fetchCase: async (id, signal) => (await call(showLedgerEntry, { params: { id } }, { signal })).data,
  Case,
};

function Row({ item }: { item: LedgerEntry }) {
  const text = useText();
  return (
    <>
      <RowHead at={item.postedAt}>{text('money', { rupees: item.paise / 100 })}</RowHead>
      <span className="flex flex-wrap gap-x-4">
        <span>{item.username ? `@${item.username}` : text('console.accountGone')}</span>
        <span className="text-soft">{text('console.month', { month: new Date(`${item.month}-01`) })}</span>
      </span>
      <span className="text-[0.9375rem] text-soft">{text(`console.step.${item.step}`)}</span>
    </>
  );
}

function Case({ data, onActed }: CaseProps<LedgerEntryCase>) {
  const text = useText();
  const { userId, username, withdrawalId, month } = data;
  return (
    <CaseFrame
      title={text('money', { rupees: data.paise / 100 })}
      aside={<span className="font-semibold">{text(`console.step.${data.step}`)}</span>}
      acts={[]}
      onActed={onActed}
    >
      <Facts
        facts={[
          [text('console.fact.creator'), <PersonLink key="creator" id={userId} username={username} />],
          [
            text('console.fact.withdrawal'),
            <Link key="withdrawal" to={`?part=withdrawals&case=${withdrawalId}`} className="text-link">
              {text('console.month', { month: new Date(`${month}-01`) })}
            </Link>,
          ],
          [text('console.fact.posted'), text('moment', { at: new Date(data.postedAt) })],
          [text('console.fact.postedBy'), data.postedBy && `@${data.postedBy}`],
          [text('console.fact.debit'), text(`console.account.${data.debit}`)],
          [text('console.fact.credit'), text(`console.account.${data.credit}`)],
        ]}
      />
      <Section title={text('console.entriesOfWithdrawal')} isEmpty={false}>
        <Entries entries={data.all} />
      </Section>
    </CaseFrame>
  );
}

const number = 'text-right tabular-nums';

function Entries({ entries }: { entries: readonly LedgerEntry[] }) {
  const text = useText();
  return (
    <table className="w-full border-collapse text-left [&_td]:border-t [&_td]:border-line [&_td]:py-2 [&_td]:pr-4">
      <thead className="text-[0.9375rem] text-soft">
        <tr>
          <th className="font-normal">{text('console.fact.posted')}</th>
          <th className="font-normal">{text('console.filter.step')}</th>
          <th className="pr-4 text-right font-normal">{text('console.detail.rupees')}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry._id}>
            <td>
              <Link to={`?part=ledger&case=${entry._id}`} className="text-link">
                {text('date', { date: new Date(entry.postedAt) })}
              </Link>
            </td>
            <td>{text(`console.step.${entry.step}`)}</td>
            <td className={number}>{text('money', { rupees: entry.paise / 100 })}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
