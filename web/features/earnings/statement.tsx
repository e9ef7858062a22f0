import { useQuery } from '@tanstack/react-query';
import { Download, Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import { owedBy } from '#contract/ledger.ts';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { PanelSkeleton } from '#web/ui/panel-skeleton.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useSite } from '../chrome/use-site.ts';
import { ListError } from '../lists/list-error.tsx';
import { Decisions } from './decisions.tsx';
import { asDate, statementOptions } from './earnings.ts';
import { MonthLines } from './month-lines.tsx';
import { useMonthList } from './month-list.ts';
import { saveFile } from './save-file.ts';
import { type Statement as StatementOf, statementCsv, yearsOf } from './statement-csv.ts';

/** The statement of a month, for the screen, for printing and as a file. */
export function Statement({ userId, month }: { userId: string; month: string }) {
  const text = useText();
  const { lang } = useSite();
  const statement = useQuery(statementOptions(userId, month));
  if (statement.isPending) {
    return (
      <div role="status" aria-label={text('list.loading')} className="mt-4 grid gap-5">
        <div className="flex gap-3">
          <Skeleton className="h-11 w-32 rounded-control" />
          <Skeleton className="h-11 w-40 rounded-control" />
        </div>
        <PanelSkeleton lines={2} />
        <PanelSkeleton lines={6} />
        <PanelSkeleton lines={2} />
      </div>
    );
  }
  if (!statement.data) return <ListError title={text('statement.failed')} list={statement} />;
  const { data } = statement;
  const download = () => saveFile(`jhalak-${month}.csv`, 'text/csv;charset=utf-8', statementCsv(data, text));
  return (
    <>
      <div className="statement-tools mt-4 flex flex-wrap gap-3">
        <Button onClick={() => window.print()}>
          <Printer aria-hidden className="size-5" />
          {text('statement.print')}
        </Button>
        <Button onClick={download}>
          <Download aria-hidden className="size-5" />
          {text('statement.download')}
        </Button>
      </div>
      <div className="statement mt-5 grid gap-5">
        <Whose statement={data} />
        <Earned statement={data} />
        <Ledger statement={data} />
        {data.years.length > 0 && <Years statement={data} />}
        <p className="text-[0.9375rem] text-soft">
          {text('statement.zone', { zone: zoneName(data.timeZone, lang) })}
        </p>
      </div>
    </>
  );
}

/** The name of a time zone, such as India Standard Time. */
function zoneName(timeZone: string, lang: string): string {
  const parts = new Intl.DateTimeFormat(lang, { timeZone, timeZoneName: 'long' }).formatToParts();
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

function Sheet({ title, id, children }: { title?: string; id?: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="rounded-panel border border-line bg-surface px-5 py-4">
      {title && (
        <h2 id={id} className="mb-1 text-xl">
          {title}
        </h2>
      )}
      {children}
    </section>
  );
}

function Whose({ statement }: { statement: StatementOf }) {
  const text = useText();
  const facts = [
    ['statement.for', statement.name],
    ['statement.month', text('month', { month: asDate(statement.month) })],
    ['statement.issued', text('moment', { at: new Date(statement.issuedAt) })],
  ] as const;
  return (
    <Sheet>
      <dl className="grid grid-cols-[auto_1fr] gap-x-5 gap-y-1">
        {facts.map(([label, fact]) => (
          <div key={label} className="contents">
            <dt className="text-soft">{text(label)}</dt>
            <dd className="figures font-semibold">{fact}</dd>
          </div>
        ))}
      </dl>
      {!statement.counted && (
        <p className="mt-2 font-semibold text-accent-text">
          {statement.state === 'counting'
            ? text('history.counting', { month: asDate(statement.month) })
            : text('statement.open')}
        </p>
      )}
    </Sheet>
  );
}

function Earned({ statement }: { statement: StatementOf }) {
  const text = useText();
  const { lines, totalCoins, paise, unpaidCoins, coinsPerRupee } = statement;
  return (
    <Sheet id="earned" title={text('statement.earned')}>
      <MonthLines lines={lines} totalCoins={totalCoins} caption={text('statement.earned')} />
      <Decisions of={statement} />
      <p className="flex items-baseline justify-between gap-4 border-t border-line-strong pt-3">
        <span className="leading-snug text-soft">
          {text('statement.amount', { coins: coinsPerRupee, rupees: 1 })}
        </span>
        <strong className="figures whitespace-nowrap text-2xl">
          {text('money', { rupees: paise / 100 })}
        </strong>
      </p>
      {unpaidCoins > 0 && (
        <p className="mt-1 text-[0.9375rem] text-soft">{text('statement.unpaid', { coins: unpaidCoins })}</p>
      )}
    </Sheet>
  );
}

function Ledger({ statement }: { statement: StatementOf }) {
  const text = useText();
  const listOf = useMonthList();
  const { month, postings, withdrawals, paidPaise, owedPaise } = statement;
  const noteOf = ({ withdrawalId, step, note }: StatementOf['postings'][number]) => {
    const of = withdrawals.find(({ _id }) => _id === withdrawalId);
    const others = [of?.month ?? month, ...(of?.carried.map((one) => one.month) ?? [])].filter(
      (one) => one !== month,
    );
    if (step === 'requested' && others.length > 0)
      return text('carry.with', { months: listOf(others.map(asDate)) });
    return step === 'completed' && note ? text('statement.reference', { reference: note }) : note;
  };
  return (
    <Sheet id="ledger" title={text('statement.ledger')}>
      {postings.length === 0 ? (
        <p className="text-soft">{text('statement.noLedger')}</p>
      ) : (
        <table className="w-full text-left">
          <thead>
            <tr className="border-b border-line text-[0.9375rem] text-soft">
              <th scope="col" className="py-2 pr-2 font-semibold">
                {text('statement.step')}
              </th>
              <th scope="col" className="py-2 pl-2 text-right font-semibold">
                {text('statement.sum')}
              </th>
              <th scope="col" className="py-2 pl-2 text-right font-semibold">
                {text('statement.balance')}
              </th>
            </tr>
          </thead>
          <tbody>
            {postings.map((posting) => {
              const { withdrawalId, step, paise, balancePaise, paidTo, postedAt } = posting;
              const note = noteOf(posting);
              return (
                <tr key={`${withdrawalId} ${step} ${postedAt}`} className="border-b border-line align-top">
                  <td className="py-2.5 pr-2 leading-snug">
                    <span className="block font-semibold">{text(`statement.${step}`)}</span>
                    {note && <span className="block">{note}</span>}
                    {paidTo && <span className="block">{text('statement.paidTo', { to: paidTo })}</span>}
                    <time dateTime={postedAt} className="figures text-[0.9375rem] text-soft">
                      {text('moment', { at: new Date(postedAt) })}
                    </time>
                  </td>
                  <td className="figures whitespace-nowrap py-2.5 pl-2 text-right">
                    {text('money', { rupees: owedBy(step, paise) / 100 })}
                  </td>
                  <td className="figures whitespace-nowrap py-2.5 pl-2 text-right">
                    {text('money', { rupees: balancePaise / 100 })}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      <dl className="mt-3 grid gap-1">
        {(
          [
            ['statement.paidInAll', paidPaise],
            ['statement.pendingInAll', owedPaise],
          ] as const
        ).map(([label, paise]) => (
          <div key={label} className="flex items-baseline justify-between gap-4">
            <dt className="text-soft">{text(label)}</dt>
            <dd className="figures whitespace-nowrap font-bold">{text('money', { rupees: paise / 100 })}</dd>
          </div>
        ))}
      </dl>
    </Sheet>
  );
}

/** What was paid in each financial year, all months together. */
function Years({ statement }: { statement: StatementOf }) {
  const text = useText();
  return (
    <Sheet id="years" title={text('statement.years')}>
      <dl className="mt-1 grid gap-2">
        {statement.years.map(({ year, payments, paidPaise }) => (
          <div key={year} className="flex items-baseline justify-between gap-4">
            <dt className="leading-snug">
              <span className="block">{text('statement.year', yearsOf(year))}</span>
              <span className="figures text-[0.9375rem] text-soft">
                {text('statement.payments', { count: payments })}
              </span>
            </dt>
            <dd className="figures whitespace-nowrap font-bold">
              {text('money', { rupees: paidPaise / 100 })}
            </dd>
          </div>
        ))}
      </dl>
    </Sheet>
  );
}
