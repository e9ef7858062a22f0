import { Clock, Heart, Image, MoveVertical } from 'lucide-react';
import type { ReactNode } from 'react';
import { activityPaiseOf } from '#contract/rates.ts';
import { useText } from '#web/text.tsx';
import { useSite } from '../chrome/use-site.ts';

/**
 * The static sections: earning by activity, how it works, conversion rate, withdrawal rules (specification §2, §9).
 */
export function ActivityGuide() {
  const text = useText();
  const { rates } = useSite();
  const coins = { coins: rates.coinsPerActivity };
  // Example numbers of activity coins; their worth is computed by the rates.
  const examples = [1, 2, 10].map((times) => times * rates.activityCoinsPerRupee);
  const actions = [
    ['earn.scroll', MoveVertical],
    ['earn.likeReel', Heart],
    ['earn.likePhoto', Image],
    ['earn.hour', Clock],
  ] as const;
  return (
    <>
      <Section id="activity" title={text('earn.activity')}>
        <p className="mt-1.5 text-soft">{text('earn.activityText')}</p>
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
        <p className="mt-4 rounded-panel bg-night px-5 py-4 text-lg font-semibold text-night-text">
          {text('earn.activityRate', { coins: rates.activityCoinsPerRupee, rupees: 1 })}
        </p>
        <ul className="figures mt-3 space-y-1.5">
          {examples.map((amount) => (
            <li key={amount}>
              {text('earnActivity.rateExample', {
                coins: amount,
                rupees: activityPaiseOf(amount, rates) / 100,
              })}
            </li>
          ))}
        </ul>
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
