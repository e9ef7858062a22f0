import { CopyCheck, Eye, Heart, History, Hourglass, Image, type LucideIcon, Play, Undo2 } from 'lucide-react';
import type { MonthLine } from '#contract/earnings.ts';
import { useText } from '#web/text.tsx';
import { isOfOthers } from './earnings.ts';

const icons: Record<MonthLine['kind'], LucideIcon> = {
  reels: Play,
  posts: Image,
  stories: History,
  views: Eye,
  likes: Heart,
  released: Hourglass,
  own_works: CopyCheck,
  taken_back: Undo2,
};

interface MonthLinesProps {
  lines: readonly MonthLine[];
  totalCoins: number;
  caption: string;
}

/** The lines of a month: each count with its rate and coins, which add up to the total. */
export function MonthLines({ lines, totalCoins, caption }: MonthLinesProps) {
  const text = useText();
  return (
    <table className="w-full text-left">
      <caption className="sr-only">{caption}</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">{text('lines.what')}</th>
          <th scope="col">{text('lines.how')}</th>
          <th scope="col">{text('lines.coins')}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ kind, count, paid, coinsEach, perCoin, coins, leftOver }) => {
          const Icon = icons[kind];
          return (
            <tr key={kind} className="border-b border-line">
              <th scope="row" className="py-3 pr-2 font-semibold">
                <span className="flex items-center gap-2.5">
                  <Icon aria-hidden className="size-5 shrink-0 text-accent-text" />
                  {text(`lines.${kind}`)}
                </span>
              </th>
              <td className="figures py-3 pr-3 text-right text-[0.9375rem] leading-snug text-soft">
                {isOfOthers(kind)
                  ? text(`lines.${kind}How`)
                  : coinsEach === null
                    ? text('lines.inTens', { count, per: perCoin })
                    : text('lines.times', { count, each: coinsEach })}
                {paid < count && <span className="block">{text('lines.paid', { paid })}</span>}
                {leftOver > 0 && <span className="block">{text('lines.leftOver', { leftOver })}</span>}
              </td>
              <td className="figures w-[1%] whitespace-nowrap py-3 text-right text-lg font-bold">
                {text('figure', { count: coins })}
              </td>
            </tr>
          );
        })}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={2} className="py-3 font-bold">
            {text('lines.total')}
          </th>
          <td className="figures whitespace-nowrap py-3 text-right text-xl font-bold">
            {text('figure', { count: totalCoins })}
          </td>
        </tr>
      </tfoot>
    </table>
  );
}
