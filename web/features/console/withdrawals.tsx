import { Link } from 'react-router';
import { listWithdrawals, type WithdrawalForReview } from '#contract/operators.ts';
import { showWithdrawal, type WithdrawalCase, withdrawalStates } from '#contract/withdrawal-case.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';
import { useConfirmedCall } from '../confirmation/use-confirmed-call.tsx';
import { actsOnWithdrawal } from './acts-on-withdrawal.ts';
import { CaseFrame } from './case-frame.tsx';
import { Chips, Facts, Section } from './facts.tsx';
import { type CaseProps, type Part, RowHead } from './list-part.tsx';
import { MakeBatch } from './make-batch.tsx';
import { destinationFacts, Months, Withdrawals } from './money-of.tsx';
import { YearlyTotals } from './yearly-totals.tsx';

/** What creators want to be paid. */
export const withdrawals: Part<WithdrawalForReview, WithdrawalCase> = {
  id: 'withdrawals',
  title: 'console.part.withdrawals',
  empty: 'console.withdrawalsNone',
  Above: () => (
    <div className="grid gap-3">
      <MakeBatch />
      <YearlyTotals />
    </div>
  ),
  filters: [
    {
      name: 'state',
      label: 'console.filter.state',
      options: withdrawalStates.map((value) => ({
        value,
        label: `console.withdrawal.${value}` as const,
      })),
    },
    { name: 'month', label: 'console.filter.month', input: 'month' },
  ],
  async fetchPage({ state, month }, cursor, signal) {
    const query = {
      state: withdrawalStates.find((one) => one === state) ?? 'pending',
      ...(month ? { month } : {}),
      ...(cursor ? { cursor } : {}),
    };
    const { data: items, nextCursor } = await call(listWithdrawals, { query }, { signal });
    return { items, nextCursor };
  },
  Row,
  fetchCase: async (id, signal) => (await call(showWithdrawal, { params: { id } }, { signal })).data,
  Case,
};

function Row({ item }: { item: WithdrawalForReview }) {
  const text = useText();
  return (
    <>
      <RowHead at={item.decidedAt ?? item.createdAt}>{text('money', { rupees: item.paise / 100 })}</RowHead>
      <span className="flex flex-wrap gap-x-4">
        <span>{item.username ? `@${item.username}` : text('console.accountGone')}</span>
        <span className="text-soft">{text('console.month', { month: new Date(`${item.month}-01`) })}</span>
      </span>
      <Marks marks={item.marks} />
      <span className="text-[0.9375rem] text-soft">{text(`console.payout.${item.payout}`)}</span>
    </>
  );
}

function Marks({ marks }: Pick<WithdrawalForReview, 'marks'>) {
  const text = useText();
  return <Chips words={marks.map((mark) => text(`console.mark.${mark}`))} />;
}

function Case({ data, onActed }: CaseProps<WithdrawalCase>) {
  const text = useText();
  const { confirmed, dialog } = useConfirmedCall({ byFactor: true });
  return (
    <>
      <CaseFrame
        title={text('money', { rupees: data.paise / 100 })}
        aside={<span className="font-semibold">{text(`console.payout.${data.payout}`)}</span>}
        acts={actsOnWithdrawal(data, confirmed)}
        history={data.history}
        onActed={onActed}
      >
        <Marks marks={data.marks} />
        <About data={data} />
        <Evidence data={data} />
        <Section title={text('console.months')} isEmpty={data.months.length === 0}>
          <Months months={data.months} />
        </Section>
        <Section title={text('console.otherWithdrawals')} isEmpty={data.others.length === 0}>
          <Withdrawals withdrawals={data.others} />
        </Section>
      </CaseFrame>
      {dialog}
    </>
  );
}

function About({ data }: { data: WithdrawalCase }) {
  const text = useText();
  const { name, username, email, userId, batchId, destination, carried, reference, reason } = data;
  const month = (of: string) => text('console.month', { month: new Date(`${of}-01`) });
  return (
    <Facts
      facts={[
        [
          text('console.fact.creator'),
          username ? (
            <Link key="creator" to={`?part=people&case=${userId}`} className="text-link">
              {name} @{username}
            </Link>
          ) : (
            text('console.accountGone')
          ),
        ],
        [text('console.fact.email'), email],
        [text('console.fact.joined'), data.joinedAt && text('date', { date: new Date(data.joinedAt) })],
        [text('console.fact.month'), month(data.month)],
        [text('console.fact.carried'), carried.map((paid) => month(paid.month)).join(', ')],
        [text('console.fact.coins'), text('console.number', { number: data.coins })],
        [text('console.fact.asked'), text('date', { date: new Date(data.createdAt) })],
        ...destinationFacts(text, destination, data.sharing),
        [
          text('console.fact.batch'),
          batchId && (
            <Link key="batch" to={`?part=batches&case=${batchId}`} className="text-link">
              {text('console.openBatch')}
            </Link>
          ),
        ],
        [text('console.detail.reference'), reference],
        [text('console.detail.reason'), reason],
      ]}
    />
  );
}

/** What the marks of its months are drawn from, and the views that wait in them. */
function Evidence({ data: { evidence, waitingViews, waitingCoins } }: { data: WithdrawalCase }) {
  const text = useText();
  if (evidence.length === 0 && waitingViews === 0) return null;
  return (
    <ul className="grid gap-1">
      {evidence.map(({ mark, found, of, month }) => (
        <li key={`${mark} ${month}`}>
          {text('console.evidence', {
            mark: text(`console.mark.${mark}`),
            found,
            of,
            month: new Date(`${month}-01`),
          })}
        </li>
      ))}
      {waitingViews > 0 && <li>{text('console.waiting', { views: waitingViews, coins: waitingCoins })}</li>}
    </ul>
  );
}
