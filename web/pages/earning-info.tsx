import { ChevronDown } from 'lucide-react';
import { Link } from 'react-router';
import {
  coinsOf,
  earningRules,
  type MonthCounts,
  networkBits,
  paidOf,
  paiseOf,
  type RuleTable,
  rules,
  showingsAMinute,
} from '#contract/earning-rules.ts';
import { headOf } from '../features/chrome/head.ts';
import { useSite } from '../features/chrome/use-site.ts';
import { BackLink } from '../features/reading/back-link.tsx';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { T, useText } from '../text.tsx';
import { buttonLook } from '../ui/button.tsx';
import type { Route } from './+types/earning-info';

await loadPart('earnings');

/** An example month of a creator who follows the rules. Its worth is computed by the rates. */
const example: MonthCounts = {
  reels: earningRules.shortVideos,
  posts: earningRules.pictures,
  stories: 20,
  views: 12_345,
  likes: 987,
};
const nothing: MonthCounts = { reels: 0, posts: 0, stories: 0, views: 0, likes: 0 };
const exampleRows = [
  { name: 'earn.exampleReels', count: 'reels' },
  { name: 'earn.examplePosts', count: 'posts' },
  { name: 'earn.exampleStories', count: 'stories' },
  { name: 'earn.exampleViews', count: 'views' },
  { name: 'earn.exampleLikes', count: 'likes' },
] as const;

export function meta({ matches }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  return headOf({
    title: i18n._('earn.pageTitle'),
    description: i18n._('earn.lead'),
    site,
    path: '/EarningInfo',
  });
}

/** 'How to Earn' (specification §2, §9); every figure comes from the rates. */
export default function EarningInfo() {
  const text = useText();
  const { rates, monthRules, olderAppsUntil, timeZone } = useSite();
  const { verifiedOnly } = monthRules;
  const { watch, established, vouching, paidPublications, shortestPaidReel } = rules;
  const { leaseMinutes: minutes, seconds, share, viewsADay, visibleShare } = watch;
  const contentRates = [
    ['earn.reel', rates.coinsPerReel, 1],
    ['earn.post', rates.coinsPerPost, 1],
    ['earn.story', rates.coinsPerStory, 1],
    ['earn.views', 1, rates.viewsPerCoin],
    ['earn.likes', 1, rates.likesPerCoin],
  ] as const;
  return (
    <div className="mx-auto w-full max-w-column px-4 py-4 sm:py-8">
      <div className="flex items-center gap-1">
        <BackLink />
        <h1 className="text-3xl sm:text-4xl">{text('earn.title')}</h1>
      </div>
      <p className="mt-3 text-pretty text-soft sm:text-lg">{text('earn.lead')}</p>

      <section aria-labelledby="content-earnings" className="mt-8">
        <h2 id="content-earnings" className="text-2xl">
          {text('earn.content')}
        </h2>
        <p className="mt-1.5 text-soft">{text('earn.contentText')}</p>
        <table className="mt-4 w-full overflow-hidden rounded-panel bg-surface text-left">
          <thead className="sr-only">
            <tr>
              <th scope="col">{text('earn.what')}</th>
              <th scope="col">{text('earn.coins')}</th>
            </tr>
          </thead>
          <tbody>
            {contentRates.map(([what, amount, each]) => (
              <tr key={what} className="border-b border-line last:border-0">
                <th scope="row" className="px-4 py-3 font-medium">
                  {text(what, { count: each })}
                </th>
                <td className="figures whitespace-nowrap px-4 py-3 text-right font-bold">
                  {text('earn.amount', { coins: amount })}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <p className="mt-4 rounded-panel bg-night px-5 py-4 text-lg font-semibold text-night-text">
          {text('earn.contentRate', { coins: rates.coinsPerRupee, rupees: 1 })}
        </p>
        <Example />
        <p className="mt-3 text-soft">
          <T
            id="earn.exampleAssumes"
            values={{ accounts: accountsNeeded(vouching) }}
            // The browser opens the folded rules that the link leads into.
            parts={{ a: <Link reloadDocument to="#month-pays" className="text-link" /> }}
          />
        </p>
      </section>

      <section aria-labelledby="activity-earnings" className="mt-10">
        <h2 id="activity-earnings" className="text-2xl">
          {text('earn.activity')}
        </h2>
        <ul className="mt-4 list-disc space-y-1.5 pl-6 marker:text-accent-text">
          <li>{text('earn.scroll', { coins: rates.coinsPerActivity })}</li>
          <li>{text('earn.likeReel', { coins: rates.coinsPerActivity })}</li>
          <li>{text('earn.likePhoto', { coins: rates.coinsPerActivity })}</li>
          <li>{text('earn.hour', { coins: rates.coinsPerActivity })}</li>
        </ul>
        <p className="mt-3">{text('earn.activityRate', { coins: rates.activityCoinsPerRupee, rupees: 1 })}</p>
        <p className="mt-3 text-soft">{text('earnActivity.notPaid')}</p>
      </section>

      <section aria-labelledby="earning-rules" className="mt-10">
        <h2 id="earning-rules" className="text-2xl">
          {text('earn.rules')}
        </h2>
        <Rules
          sentences={[
            text('earn.rule1', { videos: earningRules.shortVideos, pictures: earningRules.pictures }),
            text('earn.rule2', { hours: earningRules.activeHoursADay }),
            text('earn.rule3'),
            text('earn.rule4'),
            text('earn.short.watched', { seconds }),
            text('earn.short.onceADay'),
            text('earn.short.own'),
            text('earn.short.month', { views: vouching.views }),
            text('earn.short.copies'),
          ]}
        />
        <details className="group mt-5 rounded-panel border border-line bg-surface">
          <summary className="flex min-h-12 items-center gap-2 px-5 pt-0.5 font-semibold">
            <ChevronDown aria-hidden className="size-5 shrink-0 transition-transform group-open:rotate-180" />
            {text('earn.allRules')}
          </summary>
          <div className="px-5 pb-5">
            <Rules
              of={text('earn.rulesPublishing')}
              sentences={[
                text('earn.paidPublications', { ...paidPublications }),
                text('earn.unpaidReels', { seconds: shortestPaidReel }),
                text('earn.copies'),
                text('earn.ownWork'),
                text('earn.hiddenCopies'),
                text('earn.deleted'),
              ]}
            />
            <Rules
              of={text('earn.rulesWatching')}
              sentences={[
                text('earn.onlyWatched'),
                text('earn.watched', { seconds, share, visible: visibleShare }),
                text('earn.stalls'),
                text('earn.reported', { minutes }),
                olderAppsUntil !== null &&
                  text('earn.olderApps', { until: new Date(olderAppsUntil), seconds, minutes }),
                text('earn.viewer', { bits: networkBits }),
                text('earn.onceADay', { views: viewsADay }),
                text('earn.oneScreen'),
                text('earn.showings', { showings: showingsAMinute }),
                text('earn.bots'),
                text('earn.hidden'),
              ]}
            />
            <Rules
              of={text('earn.rulesOwn')}
              sentences={[text('earn.ownViews', { days: watch.ownBrowserDays })]}
            />
            <Rules
              of={text('earn.rulesLikes')}
              sentences={[
                text('earn.likesOnce'),
                text('earn.vouchedLikes', { likes: vouching.likes, each: vouching.likesPerAccount }),
              ]}
            />
            <Rules
              id="month-pays"
              of={text('earn.rulesMonth')}
              sentences={[
                text('earn.vouched', { views: vouching.views, each: vouching.viewsPerCreator }),
                text('earn.perAccount', { all: vouching.viewsInAll }),
                text('earn.decided'),
                text('earn.released'),
                text('earn.void'),
                text('earn.look'),
                text('earn.monthRules'),
                text('earn.days', { zone: timeZone }),
              ]}
            />
            <Rules
              of={text('earn.rulesEstablished')}
              sentences={[
                text('earn.established', {
                  views: established.views,
                  creators: established.creators,
                  watched: established.watchedDays,
                  days: verifiedOnly ? established.days : established.daysWithoutMail,
                  mail: verifiedOnly ? 'yes' : 'no',
                }),
                text('earn.monthEnd'),
              ]}
            />
          </div>
        </details>
      </section>

      <section aria-labelledby="withdrawing" className="mt-10">
        <h2 id="withdrawing" className="text-2xl">
          {text('earn.withdraw')}
        </h2>
        <ul className="mt-3 list-disc space-y-1.5 pl-6 marker:text-accent-text">
          <li>{text('earn.withdraw1')}</li>
          <li>{text('earn.withdraw2', { rupees: rates.minimumWithdrawalPaise / 100 })}</li>
          <li>
            {text('earn.carried', {
              rupees: rates.minimumWithdrawalPaise / 100,
              accounts: Math.ceil(vouching.sharesToCarry / vouching.viewsPerCreator),
            })}
          </li>
        </ul>
        <Link to="/ReelPost" className={buttonLook('primary', 'mt-6 min-h-12')}>
          {text('home.empty.action')}
        </Link>
      </section>
    </div>
  );
}

/** How many established accounts the example needs so that all its views pay. */
const accountsNeeded = ({ views, viewsPerCreator }: RuleTable['vouching']) =>
  Math.ceil((example.views - views) / viewsPerCreator);

/** A group of rules, each of which is one sentence. */
function Rules({ of, id, sentences }: { of?: string; id?: string; sentences: readonly (string | false)[] }) {
  return (
    <>
      {of !== undefined && (
        <h3 id={id} className="mt-6 text-lg font-semibold">
          {of}
        </h3>
      )}
      <ul className="mt-2 list-disc space-y-1.5 pl-6 marker:text-accent-text">
        {sentences.map((sentence) => sentence !== false && <li key={sentence}>{sentence}</li>)}
      </ul>
    </>
  );
}

/** The lines of the example month, as in Earning History. */
function Example() {
  const text = useText();
  const paid = paidOf(example);
  const coins = coinsOf(paid);
  const cell = 'figures whitespace-nowrap px-4 py-3 text-right font-bold';
  return (
    <>
      <h3 id="example" className="mt-6 text-lg font-semibold">
        {text('earn.example')}
      </h3>
      <table
        aria-labelledby="example"
        className="mt-2 w-full overflow-hidden rounded-panel bg-surface text-left"
      >
        <thead className="sr-only">
          <tr>
            <th scope="col">{text('earn.what')}</th>
            <th scope="col">{text('earn.coins')}</th>
          </tr>
        </thead>
        <tbody>
          {exampleRows.map(({ name, count }) => (
            <tr key={name} className="border-b border-line">
              <th scope="row" className="px-4 py-3 font-medium">
                {text(name, { count: example[count] })}
              </th>
              <td className={cell}>
                {text('earn.amount', { coins: coinsOf({ ...nothing, [count]: paid[count] }) })}
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot className="bg-sunken text-lg">
          <tr>
            <th scope="row" className="px-4 py-3 font-semibold">
              {text('earn.exampleSum')}
            </th>
            <td className={cell}>{text('earn.amount', { coins })}</td>
          </tr>
          <tr>
            <th scope="row" className="px-4 py-3 font-semibold">
              {text('earn.exampleRupees')}
            </th>
            <td className={cell}>{text('earn.money', { rupees: paiseOf(coins) / 100 })}</td>
          </tr>
        </tfoot>
      </table>
    </>
  );
}
