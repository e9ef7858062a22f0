import { Link } from 'react-router';
import {
  type CaseKind,
  type CaseLanguage,
  type CaseState,
  caseKinds,
  caseLanguages,
  caseStates,
  casesAtOnce,
  countCases,
  type ListedCase,
  listCases,
  type ShownCase,
  showCase,
} from '#contract/cases.ts';
import { mayShowChild } from '#contract/child-safety.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';
import { TimeAgo } from '#web/time-ago.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { actsOn } from './acts-on-case.ts';
import { CaseFrame } from './case-frame.tsx';
import { Clock } from './clock.tsx';
import { Decided } from './decided.tsx';
import { EnterOrder } from './enter-order.tsx';
import { type CaseProps, type Part, RowHead } from './list-part.tsx';
import { Look } from './look.tsx';
import { ManyCases } from './many-cases.tsx';
import { Said } from './said.tsx';
import { useAddress } from './use-address.ts';
import { Veiled } from './veiled.tsx';

/** Cases: what people have reported. */
export const reports: Part<ListedCase, ShownCase> = {
  id: 'reports',
  title: 'console.part.reports',
  empty: 'console.reportsNone',
  AfterFilters: EnterOrder,
  filters: [
    {
      name: 'state',
      label: 'console.filter.state',
      options: caseStates.map((value) => ({ value, label: `console.state.${value}` as const })),
    },
    {
      name: 'kind',
      label: 'console.filter.kind',
      options: [
        { value: '', label: 'console.all' },
        ...caseKinds.map((value) => ({ value, label: `console.kind.${value}` as const })),
      ],
    },
    {
      name: 'language',
      label: 'console.filter.language',
      options: [
        { value: '', label: 'console.all' },
        ...caseLanguages.map((value) => ({ value, label: `console.language.${value}` as const })),
      ],
    },
  ],
  async fetchCounts({ state, ...filters }, signal) {
    const { data } = await call(countCases, { query: kindAndLanguage(filters) }, { signal });
    // Kinds and languages are counted in the queue.
    return state ? { state: data.state } : data;
  },
  async fetchPage({ state, ...filters }, cursor, signal) {
    const query = {
      ...(state ? { state: state as CaseState } : {}),
      ...kindAndLanguage(filters),
      ...(cursor ? { cursor } : {}),
    };
    const { data: items, nextCursor } = await call(listCases, { query }, { signal });
    return { items, nextCursor };
  },
  Row,
  many: { Acts: ManyCases, isFor: ({ closedAt, kind }) => !closedAt && kind !== 'appeal', most: casesAtOnce },
  fetchCase: async (id, signal) => (await call(showCase, { params: { id } }, { signal })).data,
  // Another operator may claim or decide it.
  refetchInterval: 30_000,
  Case,
};

const kindAndLanguage = ({ kind, language }: Record<string, string>) => ({
  ...(kind ? { kind: kind as CaseKind } : {}),
  ...(language ? { language: language as CaseLanguage } : {}),
});

function Row({ item }: { item: ListedCase }) {
  const text = useText();
  return (
    <>
      <RowHead at={<When item={item} />}>{text(`console.kind.${item.kind}`)}</RowHead>
      <Reasons reasons={item.reasons} />
      <span dir="auto" className="truncate">
        {mayShowChild(item) ? text('console.look.veiled') : item.words || text('console.noWords')}
      </span>
      <span className="flex flex-wrap gap-x-4 text-[0.9375rem] text-soft">
        {item.owner && <span>@{item.owner}</span>}
        <span>{text('console.reportCount', { count: item.reports })}</span>
        <Claim claim={item.claim} />
      </span>
    </>
  );
}

const When = ({ item: { closedAt, dueAt } }: { item: ListedCase }) =>
  closedAt ? <TimeAgo at={closedAt} className="text-[0.9375rem] text-soft" /> : <Clock at={dueAt} />;

function Reasons({ reasons }: Pick<ListedCase, 'reasons'>) {
  const text = useText();
  return (
    <span className="flex flex-wrap gap-1.5">
      {reasons.map((reason) => (
        <span key={reason} className="rounded-full bg-sunken px-2.5 pt-0.5 text-[0.9375rem]">
          {text(`console.reason.${reason}`)}
        </span>
      ))}
    </span>
  );
}

function Claim({ claim }: Pick<ListedCase, 'claim'>) {
  const text = useText();
  if (!claim) return null;
  return (
    <span className="font-semibold text-accent-text">
      {claim.mine ? text('console.claimMine') : text('console.claimOf', { username: claim.by })}
    </span>
  );
}

function Case({ data, onActed }: CaseProps<ShownCase>) {
  const text = useText();
  return (
    <CaseFrame
      title={text(data.kind === 'appeal' ? 'console.appealOf' : 'console.caseOf', {
        kind: text(`console.kind.${data.about}`),
        username: data.owner,
      })}
      aside={
        <>
          <When item={data} />
          <Claim claim={data.claim} />
        </>
      }
      acts={actsOn(data, text)}
      history={data.history}
      onActed={onActed}
    >
      <Facts data={data} />
      {/* What people wrote stands beside the picture: below it, it would be off the screen. */}
      <div className={classNames('grid items-start gap-5', data.picture && 'xl:grid-cols-2')}>
        <Reported data={data} />
        {data.picture && (
          <div className="xl:order-first">
            <Veiled key={data._id} pictures={[{ address: data.picture }]} video={data.video} />
          </div>
        )}
      </div>
      {data.mergedInto && <MergedInto id={data.mergedInto} />}
      <Merged cases={data.merged} />
      {data.decision && <Decided id={data._id} decision={data.decision} />}
    </CaseFrame>
  );
}

/** That a case is decided with another one. */
function MergedInto({ id }: { id: string }) {
  const text = useText();
  const { withChange } = useAddress();
  return (
    <p className="rounded-control bg-sunken px-4 py-3">
      {text('console.mergedInto')}{' '}
      <Link to={withChange({ case: id })} className="text-link">
        {text('console.mergedInto.open')}
      </Link>
    </p>
  );
}

/** The cases that are merged into one, with the state of what they are about. */
function Merged({ cases }: { cases: ShownCase['merged'] }) {
  const text = useText();
  const { withChange } = useAddress();
  if (cases.length === 0) return null;
  return (
    <section className="grid gap-2">
      <h3 className="text-lg">{text('console.merged')}</h3>
      <ul className="grid gap-2">
        {cases.map(({ _id, about, owner, state, reports }) => (
          <li key={_id} className="border-l-2 border-line pl-3">
            <Link to={withChange({ case: _id })} className="text-link">
              {text('console.caseOf', { kind: text(`console.kind.${about}`), username: owner })}
            </Link>
            <span className="flex flex-wrap gap-x-4 text-[0.9375rem] text-soft">
              <span>{text(`console.now.${state}`)}</span>
              <span>{text('console.reportCount', { count: reports })}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What was reported, as it was then, and what became of it. */
function Facts({ data }: { data: ShownCase }) {
  const text = useText();
  return (
    <div className="grid gap-3">
      <Reasons reasons={data.reasons} />
      {mayShowChild(data) ? <Look key={data._id} id={data._id} /> : <Said of={data} />}
      <p className="flex flex-wrap gap-x-5 gap-y-1 text-[0.9375rem] text-soft">
        <span>{text(`console.now.${data.state}`)}</span>
        {data.label && <span>{text(`console.label.${data.label}`)}</span>}
        {data.edits > 0 && <span>{text('console.edits', { count: data.edits })}</span>}
        {data.closedBy !== null && <span>{text('console.decidedBy', { username: data.closedBy })}</span>}
        {data.page && (
          <Link to={data.page} target="_blank" className="text-link">
            {text('console.openPage')}
          </Link>
        )}
        <Link to={`/user/${data.ownerId}`} target="_blank" className="text-link">
          {text('console.openOwner')}
        </Link>
        <Link to={`?part=people&case=${data.ownerId}`} className="text-link">
          {text('console.openAccount')}
        </Link>
      </p>
    </div>
  );
}

function Reported({ data: { reported, reports } }: { data: ShownCase }) {
  const text = useText();
  return (
    <section className="grid gap-2">
      <h3 className="text-lg">{text('console.reportCount', { count: reports })}</h3>
      <ol className="grid gap-3">
        {reported.map(({ _id, reason, text: words, contact, reporter, reporterId, createdAt }) => (
          <li key={_id} className="border-l-2 border-line pl-3">
            <p className="text-[0.9375rem] text-soft">
              <span className="font-semibold text-text">{text(`console.reason.${reason}`)}</span> ·{' '}
              {reporterId ? (
                <Link to={`?part=people&case=${reporterId}`} className="text-link">
                  @{reporter}
                </Link>
              ) : (
                text(reason === 'order' ? 'console.byAuthority' : 'console.visitor')
              )}{' '}
              · <TimeAgo at={createdAt} />
            </p>
            {words && (
              <p dir="auto" className="whitespace-pre-wrap">
                {words}
              </p>
            )}
            {contact && <p className="text-[0.9375rem]">{text('console.answerTo', { contact })}</p>}
          </li>
        ))}
      </ol>
    </section>
  );
}
