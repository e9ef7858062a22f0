import { Clock, Heart, Image, MoveVertical } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '#web/text.tsx';
import { useSite } from '../chrome/use-site.ts';

/**
 * The static sections: earning by activity, how it works, conversion rate, withdrawal rules (specification §2, §9).
 */
export function ActivityGuide() {
  const text = useText();
  const { rates } = useSite();
  const coins = { coins: rates.coinsPerActivity };
  const actions = [
    ['earn.scroll', MoveVertical],
    ['earn.likeReel', Heart],
    ['earn.likePhoto', Image],
    ['earn.hour', Clock],
  ] as const;
  return (
    <>
      <Section id="activity" title={text('earn.activity')}>
        <ul className="mt-4 grid gap-3 min-[26rem]:grid-cols-2">
          {actions.map(([action, Icon]) => (
            <li
              key={action}
              className="flex items-center gap-3 rounded-tile bg-surface px-4 py-3 leading-snug"
            >
              <Icon aria-hidden className="size-6 shrink-0 text-accent-text" />
              {text(action, coins)}
            </li>
          ))}
        </ul>
      </Section>
      <Section id="how" title={text('earnActivity.how')}>
        <ol className="mt-3 list-decimal space-y-1.5 pl-6 marker:font-bold marker:text-accent-text">
          {(['earnActivity.how1', 'earnActivity.how2', 'earnActivity.how3'] as const).map((step) => (
            <li key={step}>{text(step)}</li>
          ))}
        </ol>
      </Section>
      <Section id="rate" title={text('earnActivity.rate')}>
        <p className="mt-3">{text('earn.activityRate', { coins: rates.activityCoinsPerRupee, rupees: 1 })}</p>
      </Section>
      <Section id="rules" title={text('earnActivity.rules')}>
        <ul className="mt-3 list-disc space-y-1.5 pl-6 marker:text-accent-text">
          <li>{text('earn.withdraw1')}</li>
          <li>{text('earn.withdraw2', { rupees: rates.minimumWithdrawalPaise / 100 })}</li>
          <li>{text('earnActivity.notPaid')}</li>
          <li>{text('earnActivity.rule3')}</li>
        </ul>
      </Section>
    </>
  );
}

function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="mt-10">
      <h2 id={id} className="text-2xl">
        {title}
      </h2>
      {children}
    </section>
  );
}
