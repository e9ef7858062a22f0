import type { ReactNode } from 'react';
import { countedTo } from '#contract/today.ts';
import { useText } from '#web/text.tsx';

export type Fact = readonly [name: string, value: ReactNode];

/** Facts of a case, each with its name; those without a value are left out. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="grid grid-cols-[fit-content(42%)_minmax(0,1fr)] gap-x-5 gap-y-1">
      {facts.map(([name, value]) =>
        value === null || value === undefined || value === false || value === '' ? null : (
          <div key={name} className="contents">
            <dt className="text-soft">{name}</dt>
            <dd dir="auto" className="whitespace-pre-wrap break-words">
              {value}
            </dd>
          </div>
        ),
      )}
    </dl>
  );
}

/** Short words in rows. */
export function Chips({ words }: { words: readonly string[] }) {
  if (words.length === 0) return null;
  return (
    <span className="flex flex-wrap gap-1.5">
      {words.map((word) => (
        <span key={word} className="rounded-full bg-sunken px-2.5 pt-0.5 text-[0.9375rem]">
          {word}
        </span>
      ))}
    </span>
  );
}

/** A part of a case with a heading. */
export function Section({
  title,
  isEmpty,
  children,
}: {
  title: string;
  isEmpty: boolean;
  children: ReactNode;
}) {
  const text = useText();
  return (
    <section className="grid gap-2">
      <h3 className="text-lg">{title}</h3>
      {isEmpty ? <p className="text-soft">{text('console.none')}</p> : children}
    </section>
  );
}

/** A count that stops at `countedTo`. */
export function Counted({ count }: { count: number }) {
  const text = useText();
  return (
    <span>
      {text('console.number', { number: Math.min(count, countedTo) })}
      {count > countedTo && '+'}
    </span>
  );
}
