import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { type ComponentType, type ReactElement, type ReactNode, useEffect, useId, useRef } from 'react';
import { Link } from 'react-router';
import { countedTo } from '#contract/today.ts';
import type { MessageId } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import { TimeAgo } from '#web/time-ago.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { useKeys } from '#web/ui/use-keys.ts';
import { useMedia } from '#web/ui/use-media.ts';
import { EndOfList } from '../lists/end-of-list.tsx';
import { ListError } from '../lists/list-error.tsx';
import { type ListPage, useList } from '../lists/use-list.ts';
import { ChooseBox, useChosen } from './chosen.tsx';
import { useLetterKeys } from './letter-keys.ts';
import { useAddress } from './use-address.ts';

interface Filter {
  /** Of the query, and of the address. */
  name: string;
  label: MessageId;
  /** Chosen from these, of which the first one is the value where the address has none; or typed into a field of this type. */
  options?: readonly { value: string; label: MessageId }[];
  input?: 'search' | 'date' | 'month';
}

export interface CaseProps<Whole> {
  data: Whole;
  /** Called after an act; if it has decided the case, the next one opens. */
  onActed: (decided: boolean) => void;
}

export interface ManyProps<Item> {
  /** The rows that the operator has chosen. */
  items: readonly Item[];
  onClear: () => void;
}

type FilterCounts = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** A part of the console: a list with filters, and a case beside it. */
export interface Part<Item extends { _id: string }, Whole> {
  id: string;
  title: MessageId;
  empty: MessageId;
  filters: readonly Filter[];
  /** How many rows the options of the filters have, by filter and value, up to `countedTo` and one more. */
  fetchCounts?: (filters: Record<string, string>, signal: AbortSignal) => Promise<FilterCounts>;
  /** What stands above the list: acts without a case. */
  Above?: ComponentType;
  /** An act without a case that takes no row of its own: it stands after the filters. */
  AfterFilters?: ComponentType;
  fetchPage: (
    filters: Record<string, string>,
    cursor: string | null,
    signal: AbortSignal,
  ) => Promise<ListPage<Item>>;
  Row: ComponentType<{ item: Item }>;
  /** Acts on many rows at once, and which rows they can be done with. */
  many?: { Acts: ComponentType<ManyProps<Item>>; isFor: (item: Item) => boolean; most: number };
  fetchCase: (id: string, signal: AbortSignal) => Promise<Whole>;
  /** Milliseconds until an open case is fetched again: others may act on it. */
  refetchInterval?: number;
  Case: ComponentType<CaseProps<Whole>>;
}

/** J and K may open a row that is off the screen. */
const inView = (row: HTMLAnchorElement | null) => row?.scrollIntoView({ block: 'nearest' });

/** Shows a part: on a wide screen the case stands beside the list, on a phone it is a page of its own. J and K open the next and the last one, arrows move between rows. */
export function ListPart<Item extends { _id: string }, Whole>({ part }: { part: Part<Item, Whole> }) {
  const text = useText();
  const { open, valueIn, withChange, go } = useAddress();
  const filters = Object.fromEntries(
    part.filters.flatMap(({ name }) => (valueIn(name) ? [[name, valueIn(name)]] : [])),
  );
  const list = useList<Item>({
    queryKey: ['console', part.id, filters],
    fetchPage: (cursor, signal) => part.fetchPage(filters, cursor, signal),
    start: null,
    first: null,
  });
  const { fetchCounts } = part;
  const counts = useQuery({
    queryKey: ['console', part.id, 'counts', filters],
    queryFn: fetchCounts ? ({ signal }) => fetchCounts(filters, signal) : skipToken,
    staleTime: 0,
  });
  const queries = useQueryClient();
  const items = list.items ?? [];
  const place = items.findIndex(({ _id }) => _id === open);
  const idAt = (at: number) => items[at]?._id;
  const move = (to: number) => {
    const id = idAt(to);
    if (id) go({ case: id }, { replace: open !== undefined });
  };
  useLetterKeys(true, { j: () => move(place + 1), k: () => move(Math.max(0, place - 1)) });
  useKeys(true, (target) => {
    const row = target.closest('li');
    const focus = (to: Element | null | undefined) => () => to?.querySelector('a')?.focus();
    return target.closest('dialog')
      ? {}
      : {
          escape: open ? () => go({ case: undefined }) : undefined,
          // From row to row, within the list.
          ...(target.matches('[data-row]')
            ? { arrowdown: focus(row?.nextElementSibling), arrowup: focus(row?.previousElementSibling) }
            : {}),
        };
  });
  const { Row, Above, AfterFilters, many } = part;
  const chosen = useChosen(many ? items.filter(many.isFor).map(({ _id }) => _id) : [], many?.most ?? 0);
  const onActed = (decided: boolean) => {
    if (decided) go({ case: idAt(place + 1) ?? idAt(place - 1) }, { replace: true });
    void queries.invalidateQueries({ queryKey: ['console'] });
  };
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[24rem_minmax(0,1fr)]">
      <section aria-label={text(part.title)} className={classNames('grid gap-4', open && 'max-lg:hidden')}>
        {Above && <Above />}
        {part.filters.length > 0 && (
          <Filters filters={part.filters} counts={counts.data}>
            {AfterFilters && <AfterFilters />}
          </Filters>
        )}
        {many && items.some(many.isFor) && (
          <div
            className={classNames(
              'grid gap-3',
              // Below the header of the page.
              chosen.count > 0 && 'sticky top-14 z-10 bg-ground pb-2',
            )}
          >
            <div className="flex items-center gap-1">
              <ChooseBox
                label={text('console.many.all')}
                isChosen={chosen.isAll || (chosen.count > 0 && 'mixed')}
                onToggle={chosen.toggleAll}
              />
              <span aria-live="polite" className="text-[0.9375rem]">
                {chosen.count === 0
                  ? text('console.many.all')
                  : text('console.many.chosen', { count: chosen.count })}
              </span>
            </div>
            {chosen.count > 0 && (
              <many.Acts items={items.filter(({ _id }) => chosen.has(_id))} onClear={chosen.clear} />
            )}
          </div>
        )}
        {list.isError && !list.items ? (
          <ListError title={text('console.failed')} list={list} />
        ) : !list.items ? (
          <p role="status">{text('list.loading')}</p>
        ) : items.length === 0 ? (
          <p className="rounded-panel border border-line p-5 text-soft">{text(part.empty)}</p>
        ) : (
          <ul className="grid gap-2">
            {items.map((item) => (
              <li key={item._id} className="flex items-start gap-1">
                {many?.isFor(item) && (
                  <ChooseBox
                    label={text('console.many.choose')}
                    isChosen={chosen.has(item._id)}
                    onToggle={(toHere) => chosen.toggle(item._id, toHere)}
                  />
                )}
                <Link
                  data-row
                  ref={item._id === open ? inView : undefined}
                  to={withChange({ case: item._id })}
                  preventScrollReset
                  replace={open !== undefined}
                  aria-current={item._id === open ? 'true' : undefined}
                  className="grid min-w-0 grow gap-1.5 rounded-panel border border-line bg-surface p-4 hover:border-line-strong aria-[current]:border-accent"
                >
                  <Row item={item} />
                </Link>
              </li>
            ))}
          </ul>
        )}
        <EndOfList list={list} pageAt={() => withChange({})} failed={text('console.failed')} byClick />
      </section>
      {open ? (
        <section className="grid content-start gap-4 max-lg:min-h-svh max-lg:-scroll-mt-6 lg:sticky lg:top-18 lg:max-h-[calc(100dvh-5.5rem)] lg:overflow-y-auto">
          <Link
            to={withChange({ case: undefined })}
            className="flex min-h-11 items-center gap-2 justify-self-start font-semibold lg:hidden"
          >
            <ArrowLeft aria-hidden className="size-5" />
            {text(part.title)}
          </Link>
          <Focused key={open}>
            <OpenCase part={part} id={open} onActed={onActed} />
          </Focused>
        </section>
      ) : (
        <p className="hidden py-16 text-center text-soft lg:block">{text('console.choose')}</p>
      )}
    </div>
  );
}

/** The open case, once it is fetched. What is there stays, with what is being typed, if it cannot be fetched again. */
function OpenCase<Item extends { _id: string }, Whole>({
  part: { id: partId, fetchCase, refetchInterval, Case },
  id,
  onActed,
}: {
  part: Part<Item, Whole>;
  id: string;
} & Pick<CaseProps<Whole>, 'onActed'>) {
  const text = useText();
  const shown = useQuery({
    queryKey: ['console', partId, 'case', id],
    queryFn: ({ signal }) => fetchCase(id, signal),
    staleTime: 0,
    ...(refetchInterval ? { refetchInterval } : {}),
  });
  const { data } = shown;
  if (shown.isError && !data) return <ListError title={text('console.failed')} list={shown} />;
  if (!data) return <p role="status">{text('list.loading')}</p>;
  return <Case data={data} onActed={onActed} />;
}

/** The first line of a row: what it is, and when. */
export function RowHead({ children, at }: { children: ReactNode; at: string | ReactElement }) {
  return (
    <span className="flex flex-wrap items-baseline justify-between gap-x-4">
      <span dir="auto" className="font-semibold tabular-nums">
        {children}
      </span>
      {typeof at === 'string' ? <TimeAgo at={at} className="text-[0.9375rem] text-soft" /> : at}
    </span>
  );
}

/** A case that opens takes the focus, so that a screen reader reads it, and keys act on it. */
function Focused({ children }: { children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null);
  const isAlone = !useMedia('(width >= 64rem)');
  useEffect(() => {
    ref.current?.focus({ preventScroll: true });
    // Where it is a page of its own, it begins at the top.
    if (isAlone) ref.current?.closest('section')?.scrollIntoView();
  }, [isAlone]);
  return (
    <div ref={ref} tabIndex={-1} className="outline-none">
      {children}
    </div>
  );
}

const control = 'h-11 w-full min-w-0 rounded-control border border-line-strong bg-surface px-3 pt-0.5';

interface FiltersProps {
  filters: readonly Filter[];
  counts: FilterCounts | undefined;
  children: ReactNode;
}

function Filters({ filters, counts, children }: FiltersProps) {
  const text = useText();
  const { valueIn, go } = useAddress();
  const id = useId();
  const set = (name: string, value: string) => {
    if (value !== valueIn(name)) go({ [name]: value || undefined, case: undefined });
  };
  const nameOf = (filter: string, { value, label }: { value: string; label: MessageId }) => {
    const count = counts?.[filter]?.[value];
    if (count === undefined) return text(label);
    return count > countedTo
      ? text('console.countedOver', { name: text(label), count: countedTo })
      : text('console.counted', { name: text(label), count });
  };
  return (
    // Room for a whole date, and for the longest choice on a phone.
    <div className="grid grid-cols-[repeat(auto-fit,minmax(9.5rem,1fr))] items-end gap-3">
      {filters.map(({ name, label, options, input }) => (
        <div key={name} className="grid gap-1">
          <label htmlFor={`${id}${name}`} className="text-[0.9375rem] font-semibold">
            {text(label)}
          </label>
          {options ? (
            <select
              id={`${id}${name}`}
              value={valueIn(name) || options[0]?.value}
              onChange={({ target: { value } }) => set(name, value === options[0]?.value ? '' : value)}
              className={control}
            >
              {options.map((option) => (
                <option key={option.value} value={option.value}>
                  {nameOf(name, option)}
                </option>
              ))}
            </select>
          ) : (
            // Another address has another value.
            <input
              key={valueIn(name)}
              id={`${id}${name}`}
              type={input}
              defaultValue={valueIn(name)}
              onBlur={({ target: { value } }) => set(name, value.trim())}
              onKeyDown={({ key, currentTarget: { value } }) => {
                if (key === 'Enter') set(name, value.trim());
              }}
              className={control}
            />
          )}
        </div>
      ))}
      {children}
    </div>
  );
}
