import { expect, it } from 'vitest';
import { monthLabel } from '#contract/month.ts';
import { addToMonths } from '#server/features/earnings/months.ts';
import { releaseMonth, voidMonth } from '#server/features/earnings/releases.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { violationsOf } from '#testing/browser/axe.ts';
import { emptySite } from '#testing/browser/site.ts';
import { visit } from '#testing/browser/visitor.ts';
import { signUpAt } from '#testing/clients/api-client.ts';
import { contextOn } from '#testing/context.ts';
import { keyOf, monthsAgo } from '#testing/fixtures/months.ts';
import { watchedFrom } from '#testing/fixtures/watching.ts';

const site = emptySite();

it('views that wait: the creator requests a review, and sees the decision and its reason in the history and the statement', async () => {
  const month = keyOf(monthsAgo(1));
  await watchedFrom(site.db, keyOf(monthsAgo(2)));
  const creator = await signUpAt(site.origin, 'waiting');
  await inTransaction(site.db, (trx) =>
    addToMonths(trx, [{ creatorId: creator.id, month, views: 1500, stories: 2 }]),
  );
  const { page, complaints, leave } = await site.open({
    person: creator,
    viewport: { width: 390, height: 844 },
  });
  await visit(page, '/EarningHistory');
  const card = page.getByRole('article', { name: `${monthLabel(month)} Earning` });
  await card.getByText(/^500 views over what this month pays wait/).waitFor();
  await card.getByRole('button', { name: 'Ask for a look' }).click();
  await card.getByText(/^You asked on .* for a look at the views that wait/).waitFor();
  await card.getByRole('button', { name: 'Ask for a look' }).waitFor({ state: 'detached' });
  expect(await violationsOf(page)).toEqual([]);

  const which = { creatorId: creator.id, month };
  await releaseMonth(contextOn(site.db), which, { reason: 'A new site', operatorId: null });
  await voidMonth(
    contextOn(site.db),
    { ...which, what: 'waiting' },
    { reason: 'All from one script', operatorId: null },
  );
  for (const path of ['/EarningHistory', `/EarningHistory/${month}/statement`]) {
    await visit(page, path);
    const main = page.getByRole('main');
    await main.getByText('All from one script').first().waitFor();
    await main.getByText('A new site').first().waitFor();
    await main
      .getByText(/^500 views of .* are void: 50 coins are taken back/)
      .first()
      .waitFor();
  }
  expect(complaints).toEqual([]);
  await leave();
});
