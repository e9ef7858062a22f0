import { Link } from 'react-router';
import { type CopyForReview, decideCopy, listCopies } from '#contract/copies.ts';
import { type CopyCase, showCopy } from '#contract/copy-case.ts';
import { reasonAtMost } from '#contract/operators.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';
import { useConfirmedCall } from '../confirmation/use-confirmed-call.tsx';
import { type CaseAct, CaseFrame } from './case-frame.tsx';
import { Chips, Facts } from './facts.tsx';
import { type CaseProps, type Part, RowHead } from './list-part.tsx';
import { Veiled } from './veiled.tsx';

/** Works that look like earlier ones, and wait for a person to compare them. */
export const copies: Part<CopyForReview, CopyCase> = {
  id: 'copies',
  title: 'console.part.copies',
  empty: 'console.reportsNone',
  filters: [
    {
      name: 'which',
      label: 'console.filter.state',
      options: [
        { value: '', label: 'console.state.open' },
        { value: 'all', label: 'console.all' },
      ],
    },
  ],
  async fetchPage({ which }, cursor, signal) {
    const query = { ...(which === 'all' ? { which: 'all' as const } : {}), ...(cursor ? { cursor } : {}) };
    const { data: items, nextCursor } = await call(listCopies, { query }, { signal });
    return { items, nextCursor };
  },
  Row,
  fetchCase: async (id, signal) => (await call(showCopy, { params: { id } }, { signal })).data,
  Case,
};

function Row({ item }: { item: CopyForReview }) {
  const text = useText();
  return (
    <>
      <RowHead at={item.askedAt}>{text(`console.kind.${item.kind}`)}</RowHead>
      <span className="break-all">@{item.username}</span>
      {item.words && (
        <span dir="auto" className="truncate text-[0.9375rem] text-soft">
          {item.words}
        </span>
      )}
      <States of={item} />
    </>
  );
}

function States({ of: { waiting, verdict } }: { of: CopyForReview }) {
  const text = useText();
  return (
    <Chips
      words={[
        ...(waiting ? [text('console.copy.waiting')] : []),
        ...(verdict ? [text(`console.copy.${verdict}`)] : []),
      ]}
    />
  );
}

function Case({ data, onActed }: CaseProps<CopyCase>) {
  const text = useText();
  const { confirmed, dialog } = useConfirmedCall({ byFactor: true });
  const pictures = [
    { address: data.picture, caption: 'console.copy.work' as const },
    { address: data.of.picture, caption: 'console.copy.earlierWork' as const },
  ].filter(({ address }) => address !== '');
  return (
    <>
      <CaseFrame
        title={text('console.caseOf', { kind: text(`console.kind.${data.kind}`), username: data.username })}
        aside={<States of={data} />}
        acts={data.verdict ? [] : actsOn(data, confirmed)}
        history={data.history}
        onActed={onActed}
      >
        <p>{text('console.copy.compare')}</p>
        {pictures.length > 0 && <Veiled key={data._id} pictures={pictures} />}
        <About data={data} />
      </CaseFrame>
      {dialog}
    </>
  );
}

function About({ data: { userId, username, of, words, reason, askedAt } }: { data: CopyForReview }) {
  const text = useText();
  const person = (id: string, name: string) =>
    name ? (
      <Link key={id} to={`?part=people&case=${id}`} className="text-link">
        @{name}
      </Link>
    ) : (
      text('console.accountGone')
    );
  const moment = (at: string | null) => at && text('moment', { at: new Date(at) });
  return (
    <Facts
      facts={[
        [text('console.copy.by'), person(userId, username)],
        [text('console.fact.asked'), moment(askedAt)],
        [text('console.copy.words'), words],
        [text('console.copy.earlierBy'), person(of.userId, of.username)],
        [text('console.copy.earlierAt'), moment(of.publishedAt)],
        [text('console.copy.earlierDeleted'), moment(of.deletedAt)],
        [text('console.detail.reason'), reason],
      ]}
    />
  );
}

const verdicts = [
  { verdict: 'copy', key: 'c', kind: 'danger' },
  { verdict: 'own', key: 'w', kind: 'primary' },
] as const;

function actsOn(
  { _id: id, waiting }: CopyForReview,
  confirmed: ReturnType<typeof useConfirmedCall>['confirmed'],
): CaseAct[] {
  const params = { id };
  return verdicts.map(({ verdict, key, kind }) => ({
    id: verdict,
    label: `console.act.copy.${verdict}`,
    key,
    kind,
    decides: true,
    form: {
      title: `console.act.copy.${verdict}`,
      says: `console.act.copy.${verdict}.says.${waiting ? 'waiting' : 'shown'}`,
      reason: { label: 'console.reasonForPerson', most: reasonAtMost },
      isDangerous: verdict === 'copy',
      run: ({ reason }) => {
        const body = { verdict, reason };
        return confirmed('decide_copy', { ...params, ...body }, (options) =>
          call(decideCopy, { params, body }, options),
        );
      },
    },
  }));
}
