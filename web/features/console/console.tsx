import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router';
import { listDifferences } from '#contract/audit-differences.ts';
import { listBatches } from '#contract/batches.ts';
import { listCases } from '#contract/cases.ts';
import { listCopies } from '#contract/copies.ts';
import { listLedger } from '#contract/ledger-entries.ts';
import { listUnfinished } from '#contract/media.ts';
import { findPeople, listLog, listWithdrawals } from '#contract/operators.ts';
import { listProposals } from '#contract/proposals.ts';
import { mayCall } from '#contract/roles.ts';
import { getToday } from '#contract/today.ts';
import { NotFound } from '#web/pages/not-found.tsx';
import { failureText, useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { ErrorState } from '#web/ui/quiet-state.tsx';
import { factorQuery } from '../session/factor-query.ts';
import { batches } from './batches.tsx';
import { copies } from './copies.tsx';
import { differences } from './differences.tsx';
import { Keys } from './keys.tsx';
import { ledger } from './ledger.tsx';
import { ListPart } from './list-part.tsx';
import { log } from './log.tsx';
import { media } from './media.tsx';
import { people } from './people.tsx';
import { proposals } from './proposals.tsx';
import { reports } from './reports.tsx';
import { OwnRole } from './role.ts';
import { Today } from './today.tsx';
import { useAddress } from './use-address.ts';
import { withdrawals } from './withdrawals.tsx';

/** Of the page Settings: for operators whose session has not given a code. */
const SecondFactor = lazy(() => import('../settings/second-factor.tsx'));

/** The parts, each with the call that it reads: it is there for who may make that. */
const calls = {
  today: getToday,
  reports: listCases,
  copies: listCopies,
  proposals: listProposals,
  withdrawals: listWithdrawals,
  batches: listBatches,
  ledger: listLedger,
  differences: listDifferences,
  people: findPeople,
  media: listUnfinished,
  log: listLog,
} as const;
const allParts = Object.keys(calls) as (keyof typeof calls)[];

/** Its row is longer than a phone is wide. */
const inView = (link: HTMLAnchorElement | null) =>
  link?.scrollIntoView({ block: 'nearest', inline: 'center' });

/** The console, for operators with a second factor in this session; for others there is no such page (decisions §1). */
export default function Console({ userId }: { userId: string | undefined }) {
  const text = useText();
  const { part } = useAddress();
  const factor = useQuery(factorQuery(userId));
  // Who sets the second factor up here reads the recovery codes before the console opens.
  const [showsCodes, setShowsCodes] = useState(false);
  if (factor.isError)
    return (
      <ErrorState
        wholePage
        title={text('console.title')}
        text={failureText(factor.error, text)}
        action={<Button onClick={() => void factor.refetch()}>{text('list.retry')}</Button>}
      />
    );
  if (!factor.data) return <p role="status">{text('list.loading')}</p>;
  if (!factor.data.required) return <NotFound />;
  if (!factor.data.given || showsCodes)
    return (
      <div className="mx-auto grid max-w-column gap-6">
        <h1 className="text-3xl sm:text-4xl">{text('console.title')}</h1>
        <Suspense>
          <SecondFactor state={factor.data} queryKey={factorQuery(userId).queryKey} onCodes={setShowsCodes} />
        </Suspense>
      </div>
    );
  const { role } = factor.data;
  const parts = allParts.filter((one) => mayCall(role, calls[one].role));
  const open = parts.find((one) => one === part) ?? 'today';
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {/* On a phone, also on its side, one row, which scrolls to the side. */}
      <div className="flex items-end justify-between gap-x-8 gap-y-3 sm:flex-wrap">
        <h1 className="text-4xl max-sm:sr-only [@media(height<30rem)]:sr-only">{text('console.title')}</h1>
        <nav
          aria-label={text('console.parts')}
          className="-mx-3 flex min-w-0 gap-1 overflow-x-auto px-3 whitespace-nowrap sm:mx-0 sm:flex-wrap sm:px-0 [@media(height<30rem)]:flex-nowrap"
        >
          {parts.map((one) => (
            <Link
              key={one}
              ref={one === open ? inView : undefined}
              to={{ search: one === 'today' ? '' : `?part=${one}` }}
              aria-current={one === open ? 'page' : undefined}
              className="flex min-h-11 items-center rounded-control px-4 pt-0.5 font-semibold text-soft hover:bg-sunken aria-[current]:bg-sunken aria-[current]:text-text"
            >
              {text(`console.part.${one}`)}
            </Link>
          ))}
          <Keys />
        </nav>
      </div>
      <OwnRole value={role}>
        {open === 'today' && <Today />}
        {open === 'reports' && <ListPart part={reports} />}
        {open === 'copies' && <ListPart part={copies} />}
        {open === 'proposals' && <ListPart part={proposals} />}
        {open === 'withdrawals' && <ListPart part={withdrawals} />}
        {open === 'batches' && <ListPart part={batches} />}
        {open === 'ledger' && <ListPart part={ledger} />}
        {open === 'differences' && <ListPart part={differences} />}
        {open === 'people' && <ListPart part={people} />}
        {open === 'media' && <ListPart part={media} />}
        {open === 'log' && <ListPart part={log} />}
      </OwnRole>
    </div>
  );
}
