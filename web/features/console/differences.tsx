import { Link } from 'react-router';
import {
  type DifferenceKind,
  listDifferences,
  type StoredDifference,
  showDifference,
} from '#contract/audit-differences.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';
import { TimeAgo } from '#web/time-ago.tsx';
import { CaseFrame } from './case-frame.tsx';
import { Facts, Section } from './facts.tsx';
import { LastAudit } from './last-audit.tsx';
import { type CaseProps, type Part, RowHead } from './list-part.tsx';
import { PersonLink } from './person-link.tsx';

/** A list of its own: no script has the schemas of the contract. */
const kinds = [
  'month',
  'reel',
  'viewer',
  'activity',
  'withdrawal',
  'account',
] as const satisfies readonly DifferenceKind[];

/** What the last audit of the ledger found. */
export const differences: Part<StoredDifference, StoredDifference> = {
  id: 'differences',
  title: 'console.part.differences',
  empty: 'console.differencesNone',
  Above: LastAudit,
  filters: [
    {
      name: 'what',
      label: 'console.filter.what',
      options: [
        { value: '', label: 'console.all' },
        ...kinds.map((value) => ({ value, label: `console.differs.${value}` as const })),
      ],
    },
  ],
  async fetchPage({ what }, cursor, signal) {
    const known = kinds.find((one) => one === what);
    const query = { ...(known ? { what: known } : {}), ...(cursor ? { cursor } : {}) };
    const { data: items, nextCursor } = await call(listDifferences, { query }, { signal });
    return { items, nextCursor };
  },
  Row,
  fetchCase: async (id, signal) => (await call(showDifference, { params: { id } }, { signal })).data,
  Case,
};

function Row({ item }: { item: StoredDifference }) {
  const text = useText();
  return (
    <>
      <RowHead at={item.foundAt}>{text(`console.differs.${item.what}`)}</RowHead>
      <span className="flex flex-wrap gap-x-4">
        {item.username && <span>@{item.username}</span>}
        {item.month && (
          <span className="text-soft">{text('console.month', { month: new Date(`${item.month}-01`) })}</span>
        )}
      </span>
      <span className="break-words text-[0.9375rem] text-soft">{item.figure}</span>
    </>
  );
}

function Case({ data, onActed }: CaseProps<StoredDifference>) {
  const text = useText();
  return (
    <CaseFrame
      title={text(`console.differs.${data.what}`)}
      aside={<TimeAgo at={data.foundAt} className="text-soft" />}
      acts={[]}
      onActed={onActed}
    >
      <Facts
        facts={[
          [text('console.detail.target'), <About key="about" data={data} />],
          [
            text('console.fact.whose'),
            data.userId && <PersonLink key="whose" id={data.userId} username={data.username} />,
          ],
          [
            text('console.fact.month'),
            data.month && text('console.month', { month: new Date(`${data.month}-01`) }),
          ],
          [text('console.fact.figure'), data.figure],
          [text('console.fact.derived'), data.derived || text('console.nothing')],
          [text('console.fact.recorded'), data.recorded || text('console.nothing')],
          [text('console.fact.since'), text('moment', { at: new Date(data.foundAt) })],
        ]}
      />
      <Section title={text('console.whatToDo')} isEmpty={false}>
        <p>{text(`console.differs.${data.what}.says`)}</p>
        <ol className="grid list-decimal gap-2 pl-6">
          {(['pay', 'log', 'backup', 'mend'] as const).map((step) => (
            <li key={step}>{text(`console.differs.${step}`)}</li>
          ))}
        </ol>
        <code className="overflow-x-auto rounded-control bg-sunken px-3 py-2 text-[0.9375rem]">
          npm run admin -- ledger audit --json
        </code>
      </Section>
    </CaseFrame>
  );
}

/** What has the figure, with the way there. */
function About({ data: { what, about } }: { data: StoredDifference }) {
  const text = useText();
  const place =
    what === 'withdrawal'
      ? `?part=withdrawals&case=${about}`
      : what === 'reel'
        ? `/videoplayer?reel=${about}`
        : undefined;
  if (place)
    return (
      <Link to={place} className="break-all text-link">
        {about}
      </Link>
    );
  const account = (['earnings_expense', 'creator_payable', 'payouts'] as const).find((one) => one === about);
  return <span className="break-all">{account ? text(`console.account.${account}`) : about}</span>;
}
