import { Link } from 'react-router';
import { acts } from '#contract/acts.ts';
import { type ActCase, type LoggedAct, listLog, type NamedAct, showAct } from '#contract/operators.ts';
import { call } from '#web/api.ts';
import type { MessageId } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import { TimeAgo } from '#web/time-ago.tsx';
import { CaseFrame } from './case-frame.tsx';
import { Facts } from './facts.tsx';
import { type CaseProps, type Part, RowHead } from './list-part.tsx';
import { ActName, ActTarget, ByRule, useThingName } from './logged-act.tsx';
import { useAddress } from './use-address.ts';

/** Everything that operators did. */
export const log: Part<NamedAct, ActCase> = {
  id: 'log',
  title: 'console.part.log',
  empty: 'console.logNone',
  filters: [
    { name: 'operator', label: 'console.filter.operator', input: 'search' },
    {
      name: 'act',
      label: 'console.filter.act',
      options: [
        { value: '', label: 'console.all' },
        ...acts.map((value) => ({ value, label: `console.did.${value}` as const })),
      ],
    },
    { name: 'about', label: 'console.filter.about', input: 'search' },
    { name: 'from', label: 'console.filter.from', input: 'date' },
    { name: 'to', label: 'console.filter.to', input: 'date' },
  ],
  async fetchPage({ act, ...filters }, cursor, signal) {
    const known = acts.find((one) => one === act);
    const query = { ...filters, ...(known ? { act: known } : {}), ...(cursor ? { cursor } : {}) };
    const { data: items, nextCursor } = await call(listLog, { query }, { signal });
    return { items, nextCursor };
  },
  Row,
  fetchCase: async (id, signal) => (await call(showAct, { params: { id } }, { signal })).data,
  Case,
};

function Row({ item }: { item: NamedAct }) {
  const name = useThingName()(item);
  return (
    <>
      <RowHead at={item.createdAt}>{item.operator}</RowHead>
      <span>
        <ActName act={item.act} />
      </span>
      <span dir="auto" className="truncate">
        {name}
      </span>
      <ByRule details={item.details} />
      <Words details={item.details} />
    </>
  );
}

/** The reason or the note of an act, on one line. */
function Words({ details }: Pick<LoggedAct, 'details'>) {
  const words = details.reason ?? details.text;
  if (typeof words !== 'string') return null;
  return (
    <span dir="auto" className="truncate text-[0.9375rem] text-soft">
      {words}
    </span>
  );
}

function Case({ data, onActed }: CaseProps<ActCase>) {
  const text = useText();
  const { withChange } = useAddress();
  const about = `${data.targetKind}:${data.targetId}`;
  const only = (filter: Record<string, string>) =>
    withChange({ operator: undefined, act: undefined, about: undefined, ...filter });
  return (
    <CaseFrame
      title={data.operator}
      aside={<TimeAgo at={data.createdAt} className="text-soft" />}
      acts={[]}
      history={data.history}
      onActed={onActed}
    >
      <p className="text-lg">
        <ActName act={data.act} />
      </p>
      <ByRule details={data.details} />
      <Said act={data} />
      <p className="flex flex-wrap gap-x-5 gap-y-1">
        <Link to={only({ operator: data.operator })} className="text-link">
          {text('console.actsOf', { username: data.operator })}
        </Link>
        <Link to={only({ about })} className="text-link">
          {text('console.actsAbout')}
        </Link>
      </p>
    </CaseFrame>
  );
}

const known = [
  ...(['reason', 'text', 'month', 'what', 'reports', 'views', 'coins', 'payments', 'reference'] as const),
  ...(['verdict', 'rupees'] as const),
];

/** What the log says of an act. */
function Said({ act }: { act: NamedAct }) {
  const text = useText();
  const nameOf = (key: string) => {
    const id = known.find((one) => one === key);
    return id ? text(`console.detail.${id}`) : key;
  };
  // The rule and the days have a line of their own, and what a case is about is its target.
  const { paise, rule: _rule, days: _days, about: _about, childCase: _child, ...rest } = act.details;
  const { into, from, proposal, ...others } = rest;
  const link = (part: 'reports' | 'proposals', id: unknown, words: MessageId) =>
    typeof id === 'string' && (
      <Link key={id} to={`?part=${part}&case=${id}`} className="text-link">
        {text(words)}
      </Link>
    );
  const details =
    typeof paise === 'number' ? { ...others, rupees: text('money', { rupees: paise / 100 }) } : others;
  return (
    <Facts
      facts={[
        [text('console.detail.target'), <ActTarget key="target" act={act} />],
        [text('console.detail.at'), text('moment', { at: new Date(act.createdAt) })],
        [text('console.detail.into'), link('reports', into, 'console.mergedInto.open')],
        [text('console.detail.from'), link('reports', from, 'console.mergedInto.open')],
        [text('console.detail.proposal'), link('proposals', proposal, 'console.proposal.open')],
        ...Object.entries(details).map(
          ([key, value]) => [nameOf(key), typeof value === 'string' ? value : JSON.stringify(value)] as const,
        ),
      ]}
    />
  );
}
