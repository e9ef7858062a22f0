import { useState } from 'react';
import { Link } from 'react-router';
import type { ListedCase } from '#contract/cases.ts';
import { findPeople, type PersonForOperators } from '#contract/operators.ts';
import { type CasesOf, type PersonCase, showPerson } from '#contract/person-case.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';
import { TimeAgo } from '#web/time-ago.tsx';
import { TextField } from '#web/ui/field.tsx';
import { useConfirmedCall } from '../confirmation/use-confirmed-call.tsx';
import { actsOnPerson } from './acts-on-person.ts';
import { CaseFrame } from './case-frame.tsx';
import { Chips, Counted, Facts, Section } from './facts.tsx';
import { type CaseProps, type Part, RowHead } from './list-part.tsx';
import { destinationFacts, Months, Withdrawals } from './money-of.tsx';
import { useMayCall } from './role.ts';

/** Everybody with an account. */
export const people: Part<PersonForOperators, PersonCase> = {
  id: 'people',
  title: 'console.part.people',
  empty: 'console.peopleNone',
  filters: [{ name: 'q', label: 'console.filter.person', input: 'search' }],
  async fetchPage({ q }, cursor, signal) {
    const query = { ...(q ? { q } : {}), ...(cursor ? { cursor } : {}) };
    const { data: items, nextCursor } = await call(findPeople, { query }, { signal });
    return { items, nextCursor };
  },
  Row,
  fetchCase: async (id, signal) => (await call(showPerson, { params: { id } }, { signal })).data,
  Case,
};

function Row({ item }: { item: PersonForOperators }) {
  return (
    <>
      <RowHead at={item.createdAt}>{item.name}</RowHead>
      <span className="break-all">@{item.username}</span>
      <span className="break-all text-[0.9375rem] text-soft">{item.email}</span>
      <States person={item} />
    </>
  );
}

function States({ person: { role, childSafety, suspendedAt } }: { person: PersonForOperators }) {
  const text = useText();
  return (
    <Chips
      words={[
        ...(role === 'person' ? [] : [text(`console.role.${role}`)]),
        ...(childSafety ? [text('console.childSafety')] : []),
        ...(suspendedAt ? [text('console.mark.suspended')] : []),
      ]}
    />
  );
}

function Case({ data, onActed }: CaseProps<PersonCase>) {
  const text = useText();
  const { confirmed, dialog } = useConfirmedCall({ byFactor: true });
  const mayCall = useMayCall();
  /** Only here, until another case opens. */
  const [secret, setSecret] = useState<Parameters<Parameters<typeof actsOnPerson>[1]['onSecret']>[0]>();
  return (
    <>
      <CaseFrame
        title={data.name}
        aside={<States person={data} />}
        acts={actsOnPerson(data, { confirmed, mayCall, onSecret: setSecret })}
        history={data.history}
        onActed={onActed}
      >
        {secret && (
          <TextField
            label={text(`console.${secret.kind}`)}
            hint={text(`console.${secret.kind}Hint`)}
            readOnly
            value={secret.value}
            onFocus={({ target }) => target.select()}
          />
        )}
        <Account data={data} />
        {data.about && <Cases title={text('console.casesAbout')} of={data.about} />}
        {data.reported && <Cases title={text('console.casesReported')} of={data.reported} />}
        {data.money && <Money money={data.money} />}
      </CaseFrame>
      {dialog}
    </>
  );
}

function Money({ money: { months, withdrawals } }: { money: NonNullable<PersonCase['money']> }) {
  const text = useText();
  return (
    <>
      <Section title={text('console.months')} isEmpty={months.length === 0}>
        <Months months={months} />
      </Section>
      <Section title={text('console.part.withdrawals')} isEmpty={withdrawals.length === 0}>
        <Withdrawals withdrawals={withdrawals} />
      </Section>
    </>
  );
}

function Account({ data }: { data: PersonCase }) {
  const text = useText();
  const date = (at: string | null) => at && text('date', { date: new Date(at) });
  const number = (count: number) => text('console.number', { number: count });
  return (
    <Facts
      facts={[
        [
          text('console.fact.username'),
          <Link key="page" to={`/user/${data._id}`} target="_blank" className="text-link">
            @{data.username}
          </Link>,
        ],
        [text('console.fact.email'), data.email],
        [
          text('console.fact.verified'),
          date(data.emailVerifiedAt) ?? text('console.mark.address_not_verified'),
        ],
        [text('console.fact.joined'), date(data.createdAt)],
        [text('console.fact.suspended'), date(data.suspendedAt)],
        [
          text('console.fact.suspendedUntil'),
          data.suspendedUntil && text('moment', { at: new Date(data.suspendedUntil) }),
        ],
        [text('console.fact.reportsMuted'), date(data.reportsMutedUntil)],
        [text('console.fact.reels'), number(data.reelCount)],
        [text('console.fact.photos'), number(data.postCount)],
        [text('console.fact.followers'), number(data.followerCount)],
        ...(data.money ? destinationFacts(text, data.money.destination, data.money.sharing) : []),
      ]}
    />
  );
}

function Cases({ title, of: { count, cases } }: { title: string; of: CasesOf }) {
  return (
    <Section title={title} isEmpty={count === 0}>
      <p>
        <Counted count={count} />
      </p>
      <ul className="grid gap-2">
        {cases.map((one) => (
          <li key={one._id} className="border-l-2 border-line pl-3">
            <CaseLink of={one} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function CaseLink({ of }: { of: ListedCase }) {
  const text = useText();
  const state = of.closedAt ? 'decided' : 'open';
  const username = of.owner;
  return (
    <>
      <Link to={`?part=reports&state=${state}&case=${of._id}`} className="text-link">
        {text('console.caseOf', { kind: text(`console.kind.${of.kind}`), username })}
      </Link>
      <span className="flex flex-wrap gap-x-4 text-[0.9375rem] text-soft">
        <span>{text(`console.state.${state}`)}</span>
        <TimeAgo at={of.openedAt} />
      </span>
    </>
  );
}
