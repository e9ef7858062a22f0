import { skipToken, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { reasonAtMost } from '#contract/operators.ts';
import { showPerson } from '#contract/person-case.ts';
import { approveProposal, declineProposal, listProposals, type Proposal } from '#contract/proposals.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';
import { useConfirmedCall } from '../confirmation/use-confirmed-call.tsx';
import { type CaseAct, CaseFrame } from './case-frame.tsx';
import { Facts } from './facts.tsx';
import { type CaseProps, type Part, RowHead } from './list-part.tsx';

type Confirmed = ReturnType<typeof useConfirmedCall>['confirmed'];

/** What is found of a proposal: nothing once it was answered, or has ended. */
interface ProposalCase {
  found: Proposal | undefined;
}

const fetchAll = async (signal: AbortSignal) => (await call(listProposals, undefined, { signal })).data;

/** What waits for a second operator. */
export const proposals: Part<Proposal, ProposalCase> = {
  id: 'proposals',
  title: 'console.part.proposals',
  empty: 'console.reportsNone',
  filters: [],
  async fetchPage(_filters, _cursor, signal) {
    return { items: await fetchAll(signal), nextCursor: null };
  },
  Row,
  fetchCase: async (id, signal) => ({ found: (await fetchAll(signal)).find(({ _id }) => _id === id) }),
  Case,
};

function Row({ item }: { item: Proposal }) {
  const text = useText();
  return (
    <>
      <RowHead at={item.proposedAt}>{text(`console.proposal.${item.act}`)}</RowHead>
      <span className="break-all">@{item.username}</span>
      <span className="text-[0.9375rem] text-soft">{text('console.proposedBy', { username: item.by })}</span>
    </>
  );
}

function Case({ data: { found: data }, onActed }: CaseProps<ProposalCase>) {
  const text = useText();
  const { confirmed, dialog } = useConfirmedCall({ byFactor: true });
  const userId = data?.userId;
  // What operators did before, also the proposal itself.
  const person = useQuery({
    queryKey: ['console', 'person', userId],
    queryFn: userId
      ? async ({ signal }) => (await call(showPerson, { params: { id: userId } }, { signal })).data
      : skipToken,
  });
  if (!data) return <p className="text-soft">{text('console.proposalOver')}</p>;
  return (
    <>
      <CaseFrame
        title={text(`console.proposal.${data.act}`)}
        aside={text('console.proposedBy', { username: data.by })}
        acts={actsOn(data, confirmed)}
        history={person.data?.history ?? []}
        onActed={onActed}
      >
        <About data={data} />
      </CaseFrame>
      {dialog}
    </>
  );
}

function About({ data }: { data: Proposal }) {
  const text = useText();
  const { username, userId, caseId, rule, month, what, reason, until, mine, hasApprover } = data;
  const waits = hasApprover ? mine && 'console.proposal.mine' : 'console.proposal.alone';
  return (
    <>
      {waits && <p className="rounded-control bg-sunken px-4 py-3">{text(waits)}</p>}
      <Facts
        facts={[
          [
            text('console.fact.username'),
            <Link key="person" to={`?part=people&case=${userId}`} className="text-link">
              @{username}
            </Link>,
          ],
          [
            text('console.proposal.case'),
            caseId && (
              <Link key="case" to={`?part=reports&case=${caseId}`} className="text-link">
                {text('console.proposal.openCase')}
              </Link>
            ),
          ],
          [text('console.rule'), rule && text(`rule.${rule}`)],
          [text('console.fact.month'), month && text('console.month', { month: new Date(`${month}-01`) })],
          [text('console.fact.views'), what && text(`console.proposal.${what}`)],
          [text('console.detail.reason'), reason],
          [text('console.proposal.until'), text('moment', { at: new Date(until) })],
        ]}
      />
    </>
  );
}

/** Who proposed it may only take it back. */
function actsOn({ _id: id, mine }: Proposal, confirmed: Confirmed): CaseAct[] {
  const params = { id };
  const approve: CaseAct = {
    id: 'approve',
    label: 'console.act.approveProposal',
    key: 'a',
    kind: 'danger',
    decides: true,
    form: {
      title: 'console.act.approveProposal',
      says: 'console.act.approveProposal.says',
      isDangerous: true,
      run: () =>
        confirmed('approve_proposal', params, (options) => call(approveProposal, { params }, options)),
    },
  };
  const decline: CaseAct = {
    id: 'decline',
    label: 'console.act.decline',
    key: 'x',
    decides: true,
    form: {
      title: 'console.act.decline',
      says: 'console.act.decline.says',
      reason: { label: 'console.reasonForLog', most: reasonAtMost },
      run: ({ reason }) => call(declineProposal, { params, body: { reason } }),
    },
  };
  return mine ? [decline] : [approve, decline];
}
