import { randomBytes, randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { monthLabel } from '#contract/month.ts';
import { addToMonths, holdMonths } from '#server/features/month-counts/months.ts';
import { closeMonths } from '#server/features/months/closing.ts';
import { likePost } from '#server/features/posts-and-stories/likes.ts';
import { recordShowings } from '#server/features/views/views.ts';
import { releaseMonth, voidMonth } from '#server/features/withdrawals/releases.ts';
import { rejectWithdrawal } from '#server/features/withdrawals/review.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { violationsOf } from '#testing/browser/axe.ts';
import { emptySite } from '#testing/browser/site.ts';
import { arrive, noteShifts, shiftsOf, type VisitorOptions, visit } from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';
import { contextAt, contextOn } from '#testing/context.ts';
import { earnReleased, personIn } from '#testing/fixtures/earnings.ts';
import { keyOf, monthsAgo, reelsAt, requestMonth, viewsAt } from '#testing/fixtures/months.ts';
import { payWithdrawal } from '#testing/fixtures/payouts.ts';
import { publishPicture } from '#testing/fixtures/posts.ts';
import { reopenMonths, showAndWatch } from '#testing/fixtures/watching.ts';
import { someOf } from '#testing/share.ts';

const timeZone = 'Asia/Kolkata';

const site = emptySite();
let beginner: Client;

beforeAll(async () => {
  beginner = await signUpAt(site.origin, 'beginner');
});

const open = (options: VisitorOptions = {}) =>
  site.open({ viewport: { width: 390, height: 844 }, ...options });

let people = 0;
/**
 * A creator and what the months before this one earned, in units of five coins: `{ 1: 110 }` is 550 coins last month. The first 50 units
 * are reels, the others are coins that an operator released.
 */
async function creatorOf(months: Record<number, number>): Promise<Client> {
  people += 1;
  const creator = await signUpAt(site.origin, `creator${people}`);
  for (const [ago, count] of Object.entries(months)) {
    const at = monthsAgo(Number(ago));
    await reelsAt(site.db, creator.id, at, Math.min(count, 50));
    if (count > 50) await earnReleased(site.db, creator.id, keyOf(at), 5 * (count - 50));
  }
  await closeMonths(contextOn(site.db));
  return creator;
}

const label = (ago: number) => monthLabel(keyOf(monthsAgo(ago)));
const card = (page: Page, ago: number) => page.getByRole('article', { name: `${label(ago)} Earning` });
const wordsOf = async (place: Locator) => (await place.innerText()).replace(/\s+/g, ' ');
const tools = (page: Page) => page.getByRole('dialog');

describe('every earning page', () => {
  const pages = [
    '/EarningDashboard',
    '/EarningActivity',
    '/EarningHistory',
    '/EarningHistory/2026-01/statement',
  ];

  it('is at most 600 pixels wide, not for search engines, and leads back to the page before', async () => {
    const { page, leave } = await open({ person: beginner, viewport: { width: 1920, height: 1000 } });
    for (const path of pages) {
      await visit(page, path);
      const box = await page.locator('main > div').boundingBox();
      expect(box?.width, path).toBe(600);
      expect(await page.locator('meta[name=robots]').getAttribute('content'), path).toBe('noindex');
      if (path !== '/EarningDashboard') continue;
      await page.getByRole('main').getByRole('link', { name: 'Activity Earning' }).click();
      await arrive(page, '/EarningActivity');
      await page.getByRole('main').getByRole('link', { name: 'Back' }).click();
      await arrive(page, '/EarningDashboard');
    }
    await leave();
  });
});

describe('/EarningDashboard', () => {
  describe('the congratulation at 500 coins (specification §2)', () => {
    let rich: Client;
    beforeAll(async () => {
      rich = await creatorOf({ 0: 100 });
    });

    it('appears 1 second after the coins are known, and once a month however often the page is opened', async () => {
      const { page, leave } = await open({ person: rich });
      await page.clock.install();
      const answer = Promise.withResolvers<void>();
      await page.route('**/update-status', async (route) => {
        await answer.promise;
        await route.continue();
      });
      const request = page.waitForRequest('**/update-status');
      await page.goto('/EarningDashboard');
      await request;
      // From here on time stands still unless it is told to run.
      await page.clock.pauseAt(Date.now() + 60_000);
      answer.resolve();
      const coins = page.getByText('₹1.00 so far');
      await expect
        .poll(async () => {
          await page.clock.runFor(1);
          return await coins.isVisible();
        })
        .toBe(true);
      // The answer became known a millisecond or two ago, and this much may have passed since.
      await page.clock.runFor(900);
      expect(await tools(page).count()).toBe(0);
      await page.clock.runFor(100);
      await tools(page).getByText('Congratulations!').waitFor();
      await page.keyboard.press('Escape');
      await tools(page).waitFor({ state: 'detached' });
      await page.clock.runFor(60_000);
      expect(await tools(page).count()).toBe(0);
      await page.clock.resume();
      await page.reload();
      await coins.waitFor();
      await page.clock.runFor(60_000);
      expect(await tools(page).count()).toBe(0);
      await leave();
    });

    it('is dismissed by its button, by Escape, by a press outside and by its cross', async () => {
      const { page, complaints, leave } = await open({ person: rich });
      for (const dismiss of [
        () => tools(page).getByRole('button', { name: 'Continue' }).click(),
        () => page.keyboard.press('Escape'),
        () => page.mouse.click(5, 5),
        () => tools(page).getByRole('button', { name: 'Close' }).click(),
      ]) {
        await visit(page, '/EarningDashboard');
        await tools(page).waitFor();
        await dismiss();
        await tools(page).waitFor({ state: 'detached' });
        // The browser remembers that it has been shown this month.
        await page.evaluate(() => localStorage.clear());
      }
      expect(complaints).toEqual([]);
      await leave();
    });
  });
});

describe('/EarningActivity', () => {
  it('explains activity earning by the rates, also when its figures fail to load, and after a retry shows what this month has brought', async () => {
    const fan = await creatorOf({});
    const author = await personIn(site.db, new Date());
    const post = await publishPicture(site.db, site.data, author, 'To be liked', new Date(), '#336699');
    await likePost(contextOn(site.db), post, fan.id);
    const { page, complaints, leave } = await open({ person: fan });
    await page.route(
      '**/api/user-earnings/activity/**',
      (route) => route.fulfill({ status: 404, body: '{}' }),
      { times: 1 },
    );
    await visit(page, '/EarningActivity');
    const retry = page.getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    for (const words of [
      '1 coin for every reel you scroll',
      '1 coin for every reel you like',
      '1 coin for every photo you like',
      '1 coin for every hour you are active',
      '5,000 activity coins = ₹1',
      'Minimum withdraw amount: ₹1 or above.',
    ])
      await page.getByText(words).waitFor();
    for (const section of ['Activity earnings', 'How it works', 'Conversion rate', 'Withdraw rules'])
      await page.getByRole('heading', { name: section }).waitFor();
    await retry.click();
    const figures = page.getByRole('region', { name: `Your activity in ${label(0)}` });
    const figure = (name: string) =>
      figures.locator('dl > div', { hasText: name }).locator('dd').textContent();
    await expect.poll(() => figure('Photos liked')).toBe('1');
    expect(await figure('Reels scrolled')).toBe('0');
    expect(await figure('Activity coins')).toBe('1');
    // They cannot be withdrawn, so no rupees stand beside them.
    expect(await figures.textContent()).not.toContain('₹');
    await figures.getByText("You can't withdraw activity coins yet.").waitFor();
    expect(complaints.filter((one) => !one.includes('404'))).toEqual([]);
    await leave();
  });
});

describe('/EarningHistory', () => {
  const rounded = 'Each month is rounded down to whole paise, so the months can add up to a little less.';

  it('shows the navigation state while loading, then the server’s data', async () => {
    const creator = await creatorOf({ 0: 2, 1: 100 });
    const { page, leave } = await open({ person: creator });
    await visit(page, '/EarningDashboard');
    await page.getByText('510 coins in all, ₹1.02').waitFor();
    const answer = Promise.withResolvers<void>();
    await page.route('**/api/user-earnings/history/**', async (route) => {
      await answer.promise;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Earning History' }).click();
    // What the dashboard has fetched is shown at once.
    await page.getByRole('heading', { name: 'Earning History', level: 1 }).waitFor();
    // Reloaded, nothing is known but what stands in the history entry.
    await page.reload();
    await page.getByText('Loading earning history...').waitFor();
    const total = page.getByRole('region', { name: 'Total Earning' });
    await expect.poll(() => wordsOf(total)).toBe('Total Earning 510 coins ₹1.02 Pending — Paid —');
    await reelsAt(site.db, creator.id, new Date(), 1);
    answer.resolve();
    await total.getByText('515').waitFor();
    await page.getByText('Loading earning history...').waitFor({ state: 'detached' });
    await leave();
  });

  it('shows each month by its state, and each withdrawal step by step (specification §4)', async () => {
    const creator = await creatorOf({ 0: 4, 1: 110, 2: 160, 3: 105, 4: 50, 5: 130 });
    const paid = await requestMonth(site.db, creator.id, keyOf(monthsAgo(2)), new Date());
    // A reference is of one payment; a second look at this test pays again.
    const reference = `UTR ${randomInt(1e9)}`;
    await payWithdrawal(site.db, paid, reference);
    // As one that was found in the payer's record after a restore: nobody knows where it was sent.
    await site.db
      .updateTable('payout_attempts')
      .set({ sent_at: new Date() })
      .where('withdrawal_id', '=', paid)
      .execute();
    const refused = await requestMonth(site.db, creator.id, keyOf(monthsAgo(3)), new Date());
    await rejectWithdrawal(contextAt(site.db, new Date()), refused, {
      reason: 'The account carries another name.',
      operatorId: null,
    });
    await requestMonth(site.db, creator.id, keyOf(monthsAgo(5)), new Date());

    const { page, complaints, leave } = await open({ person: creator, reducedMotion: 'reduce' });
    await visit(page, '/EarningHistory');
    const months = page.getByRole('article').getByRole('heading', { level: 3 });
    await expect
      .poll(() => months.allInnerTexts())
      .toEqual([0, 1, 2, 3, 4, 5].map((ago) => `${label(ago)} Earning`));
    const withdraw = (ago: number) => card(page, ago).getByRole('button', { name: /^Withdraw/ });

    await card(page, 0).getByText('Current month').waitFor();
    expect(await withdraw(0).count()).toBe(0);
    await withdraw(1).waitFor();
    expect(await withdraw(1).getAttribute('aria-disabled')).toBeNull();
    await card(page, 2).getByText('Completed', { exact: true }).waitFor();
    expect(await withdraw(2).count()).toBe(0);
    await card(page, 2).getByText(`Paid, reference ${reference}`).waitFor();
    await card(page, 2).getByText('Sent', { exact: true }).waitFor();
    await withdraw(3).waitFor();
    await card(page, 3).getByText('Not paid: The account carries another name.').waitFor();
    await card(page, 3).getByText('then request this month again').waitFor();
    await card(page, 4).getByText('Less than ₹1.00: not enough to withdraw.').waitFor();
    expect(await withdraw(4).getAttribute('aria-disabled')).toBeNull();
    await card(page, 5).getByText('Pending Withdraw').waitFor();
    await card(page, 5).getByText('Requested ₹1.30').waitFor();
    await card(page, 5).getByText('Waiting for your UPI id or bank account').waitFor();
    await card(page, 5).getByText('Next: you add one.').waitFor();
    const add = card(page, 5).getByRole('link', { name: 'Add a UPI id or bank account' });
    expect(await add.getAttribute('href')).toBe('/PayoutDestination');
    expect(await withdraw(5).count()).toBe(0);

    const figures = await card(page, 1).locator('dl > div').allInnerTexts();
    expect(figures.map((one) => one.replace(/\s+/g, ' '))).toEqual([
      'Total Reels 50',
      'Total Posts 0',
      'Total Stories 0',
      'Views 0',
      'Likes 0',
      'Coins Earned 550',
    ]);
    await card(page, 1).getByText('₹1.10').first().waitFor();
    // 559 times 5 coins.
    const total = page.getByRole('region', { name: 'Total Earning' });
    expect(await wordsOf(total)).toBe('Total Earning 2,795 coins ₹5.59 Pending ₹1.30 Paid ₹1.60');
    // The months add up to it.
    expect(await page.getByText(rounded).count()).toBe(0);
    const money = page.getByRole('region', { name: 'Your money' });
    expect(await wordsOf(money)).toBe(
      `Can be withdrawn now ₹2.15 Add where your money goes Nothing is paid before you add it and 72 hours have passed. Go to ${label(3)} to withdraw`,
    );
    await page.locator('summary', { hasText: 'Coins by month' }).click();
    const chart = page.getByRole('table', { name: 'Coins by month' }).getByRole('row');
    await expect
      .poll(async () => (await chart.allTextContents()).slice(1))
      .toEqual(
        [
          [5, 650],
          [4, 250],
          [3, 525],
          [2, 800],
          [1, 550],
        ]
          .map(([ago = 0, coins]) => `${label(ago)}${coins}`)
          .concat(`${label(0)}20 (not over yet)`),
      );

    await card(page, 1).getByRole('button', { name: 'Where each coin came from' }).click();
    await card(page, 1).getByRole('heading', { name: 'Each reel, post and story' }).waitFor();
    for (const theme of ['light', 'dark']) {
      await page.evaluate((name) => {
        document.body.classList.replace('light', name);
        return new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)));
      }, theme);
      expect(await violationsOf(page), theme).toEqual([]);
    }
    await page.setViewportSize({ width: 320, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
    expect(complaints).toEqual([]);
    await leave();
  });

  it.each([
    [390, 844],
    [1280, 800],
  ])(
    'begins with the way to the oldest month that can be requested, for a keyboard, and moves nothing at %d × %d',
    async (width, height) => {
      const creator = await creatorOf({ 0: 4, 1: 110, 2: 160, 3: 50 });
      const { page, complaints, leave } = await open({
        person: creator,
        viewport: { width, height },
        reducedMotion: 'reduce',
      });
      await noteShifts(page);
      await visit(page, '/EarningHistory');
      const lead = page.getByRole('button', { name: `Go to ${label(2)} to withdraw` });
      expect((await lead.boundingBox())?.y, 'without scrolling').toBeLessThan(height - 44);
      expect(await shiftsOf(page)).toEqual([]);
      await lead.focus();
      await page.keyboard.press('Enter');
      const action = card(page, 2).getByRole('button', { name: 'Withdraw ₹1.60', exact: true });
      await expect.poll(() => action.evaluate((button) => button === document.activeElement)).toBe(true);
      const place = await action.boundingBox();
      expect(place && place.y > 0 && place.y + place.height < height).toBe(true);
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByText('₹1.60').waitFor();
      expect(complaints).toEqual([]);
      await leave();
    },
  );

  it('explains each coin by reel, and why other views did not count', async () => {
    const creator = await creatorOf({});
    const at = new Date();
    const [first = '', second = ''] = await reelsAt(site.db, creator.id, at, 2);
    await viewsAt(site.db, first, at, 14);
    await viewsAt(site.db, second, at, 8);
    const show = (times: number, who: { personId?: string; bot?: boolean }) =>
      recordShowings(
        contextOn(site.db),
        Array.from({ length: times }, () => ({ reelId: first, personId: undefined, bot: false, at, ...who })),
      );
    await show(1, { bot: true });
    await show(1, { personId: creator.id });
    // One viewer watches it three times.
    const viewer = randomBytes(16);
    for (let times = 0; times < 3; times += 1)
      await showAndWatch(contextOn(site.db), [
        {
          ...{ reelId: first, viewer, address: randomBytes(8), signedIn: false },
          ...{ issuedAt: new Date(at.getTime() - 5000), at, neededMs: 4000 },
        },
      ]);
    const { page, complaints, leave } = await open({ person: creator });
    await visit(page, '/EarningHistory');
    await card(page, 0)
      .getByRole('button', { name: `Where each coin came from: ${label(0)}` })
      .click();
    const item = (words: string) => card(page, 0).getByRole('listitem').filter({ hasText: words }).first();
    await item('15 counted views: 1 coin (5 views not enough for another coin)').waitFor();
    const seen = await item('15 counted views').innerText();
    for (const words of [
      '6 coins',
      '5 coins for publishing it',
      '2 repeat views within a day',
      '1 bot view',
      '1 view of your own',
    ])
      expect(seen).toContain(words);
    expect(await item('8 counted views').innerText()).toContain('5 coins');
    // 6 + 5 of the reels, and 5 + 8 views left over make one more.
    const sums = await card(page, 0).locator('dl').last().locator('div').allInnerTexts();
    expect(sums.map((one) => one.replace(/\s+/g, ' '))).toEqual([
      'Remaining views of all reels together: 13 views 1 coin',
      'Total 12 coins',
    ]);
    expect(complaints).toEqual([]);
    await leave();
  });

  describe('Withdraw', () => {
    const request = '**/api/user-earnings/request';
    const button = (page: Page) => card(page, 1).getByRole('button');

    it('sends one request for several clicks, shows progress, and becomes Pending Withdraw', async () => {
      const creator = await creatorOf({ 1: 110 });
      await fetch(`${site.origin}/api/payout/destination`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${creator.token}` },
        body: JSON.stringify({ kind: 'upi', vpa: 'asha@okaxis' }),
      });
      const { page, complaints, leave } = await open({ person: creator });
      const sent: unknown[] = [];
      const answer = Promise.withResolvers<void>();
      await page.route(request, async (route) => {
        sent.push(route.request().postDataJSON());
        await answer.promise;
        await route.continue();
      });
      await visit(page, '/EarningHistory');
      await button(page).filter({ hasText: 'Withdraw' }).click();
      const sheet = page.getByRole('dialog');
      await sheet.getByText('₹1.10').waitFor();
      await sheet.getByText('as•••@okaxis').waitFor();
      await sheet.getByRole('button', { name: 'Request withdrawal' }).click();
      const busy = button(page).filter({ hasText: 'Processing...' });
      await busy.waitFor();
      expect(await busy.getAttribute('aria-disabled')).toBe('true');
      await busy.click({ force: true });
      // The notice is shown for some seconds only, and the history may take longer.
      const notice = page.getByText('Withdraw request submitted successfully!').waitFor();
      answer.resolve();
      await Promise.all([notice, card(page, 1).getByText('Pending Withdraw').waitFor()]);
      await card(page, 1).getByText('Requested ₹1.10').waitFor();
      expect(sent).toEqual([
        { month: keyOf(monthsAgo(1)), totalRupee: '1.10', userId: creator.id, userName: `creator${people}` },
      ]);
      const stored = await site.db
        .selectFrom('withdrawals')
        .select(['month', 'paise'])
        .where('creator_id', '=', creator.id)
        .execute();
      expect(stored).toEqual([{ month: keyOf(monthsAgo(1)), paise: 110 }]);
      // Who pressed with a keyboard stays with the month.
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Pending');
      expect(complaints).toEqual([]);
      await leave();
    });

    it.each(
      someOf(
        [
          [
            'en',
            'Cancel this withdrawal',
            'Keep it',
            'You cancelled it',
            'You can request this month again.',
          ],
          ['hi', 'यह निकासी रद्द करें', 'रहने दें', 'आपने इसे रद्द किया', 'आप यह महीना फिर से माँग सकते हैं।'],
        ],
        1,
      ),
    )(
      'is cancelled in its timeline, and can be requested again (%s)',
      async (lang, cancel, keep, done, next) => {
        const creator = await creatorOf({ 1: 110 });
        const body = { userId: creator.id, month: keyOf(monthsAgo(1)), totalRupee: '1.10' };
        await fetch(`${site.origin}/api/user-earnings/request`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${creator.token}` },
          body: JSON.stringify(body),
        });
        const { page, complaints, leave } = await open({ person: creator });
        await visit(page, `/EarningHistory?lang=${lang}`);
        const inCard = page.getByRole('article');
        await inCard.getByRole('button', { name: cancel }).click();
        await page.getByRole('dialog').getByRole('button', { name: keep }).click();
        await inCard.getByRole('button', { name: cancel }).click();
        await page.getByRole('dialog').getByRole('button', { name: cancel }).click();
        await inCard.getByText(done).waitFor();
        await inCard.getByText(next).waitFor();
        expect(await inCard.getByRole('button', { name: cancel }).count()).toBe(0);
        expect(await page.evaluate(() => document.activeElement?.textContent)).toContain(done);
        expect(await violationsOf(page)).toEqual([]);
        const stored = await site.db
          .selectFrom('withdrawals')
          .select('state')
          .where('creator_id', '=', creator.id)
          .execute();
        expect(stored).toEqual([{ state: 'rejected' }]);
        if (lang === 'en')
          await button(page)
            .filter({ hasText: /^Withdraw ₹1\.10$/ })
            .first()
            .waitFor();
        expect(complaints).toEqual([]);
        await leave();
      },
    );

    it('pays with a month the one before it, which was too little alone, and says so before and after', async () => {
      const creator = await creatorOf({ 1: 61 });
      await earnReleased(site.db, creator.id, keyOf(monthsAgo(2)), 255);
      const { page, complaints, leave } = await open({ person: creator });
      await visit(page, '/EarningHistory');
      await card(page, 1).getByRole('button', { name: 'Withdraw ₹1.12', exact: true }).waitFor();
      await card(page, 1)
        .getByText(/^\w{3,4} ₹0\.61 \+ \w{3,4} ₹0\.51$/)
        .waitFor();
      await card(page, 2).getByText('Less than ₹1.00: not enough to withdraw.').waitFor();
      await button(page).filter({ hasText: 'Withdraw' }).click();
      const sheet = page.getByRole('dialog');
      await sheet.getByText('₹1.12').waitFor();
      await sheet.getByText(`Includes ${label(2)}, too little to be paid alone.`).waitFor();
      await sheet.getByRole('button', { name: 'Request now, add it later' }).click();
      await card(page, 1).getByText('Requested ₹1.12').waitFor();
      await card(page, 2).getByText('Pending Withdraw').waitFor();
      await card(page, 2)
        .getByText(`Paid together with ${label(1)}.`)
        .waitFor();
      expect(complaints).toEqual([]);
      await leave();
    });

    it("that fails says so in the specification's words and in the server's own, and can be pressed again", async () => {
      const creator = await creatorOf({ 1: 110 });
      const { page, leave } = await open({ person: creator });
      const refusal = { status: 'error', error: 'October earned less by now.', code: 'amount_differs' };
      await page.route(
        request,
        (route) =>
          route.fulfill({ status: 409, contentType: 'application/json', body: JSON.stringify(refusal) }),
        { times: 1 },
      );
      await visit(page, '/EarningHistory');
      await button(page).filter({ hasText: 'Withdraw' }).click();
      // Without a destination it can be requested, and waits.
      await page.getByRole('button', { name: 'Request now, add it later' }).click();
      await page.getByText('Something went wrong while requesting withdraw.').waitFor();
      await card(page, 1).getByRole('alert').getByText('October earned less by now.').waitFor();
      await button(page).filter({ hasText: 'Withdraw' }).click();
      await page.getByRole('button', { name: 'Request now, add it later' }).click();
      await card(page, 1).getByText('Waiting for your UPI id or bank account').waitFor();
      await card(page, 1).getByText('Pending Withdraw').waitFor();
      await expect.poll(() => card(page, 1).getByRole('alert').count()).toBe(0);
      await leave();
    });
  });
});

describe("a month's statement", () => {
  it('adds up on the page and in the CSV file, and prints without header and footer', async () => {
    const creator = await creatorOf({ 1: 50 });
    const month = keyOf(monthsAgo(1));
    await earnReleased(site.db, creator.id, month, 357);
    await site.db
      .updateTable('people')
      .set({ name: '=HYPERLINK("x")' })
      .where('id', '=', creator.id)
      .execute();
    const id = await requestMonth(site.db, creator.id, month, new Date());
    await rejectWithdrawal(contextAt(site.db, new Date()), id, {
      reason: 'Please check, "again"',
      operatorId: null,
    });
    const second = await requestMonth(site.db, creator.id, month, new Date());
    const reference = `UTR ${randomInt(1e9)}`;
    await payWithdrawal(site.db, second, reference);
    await site.db
      .updateTable('payout_attempts')
      .set({ masked: 'HDFC Bank ••••6789' })
      .where('withdrawal_id', '=', second)
      .execute();

    const { page, complaints, leave } = await open({ person: creator });
    await visit(page, '/EarningHistory');
    await card(page, 1)
      .getByRole('link', { name: `Statement of ${label(1)}` })
      .click();
    await arrive(page, `/EarningHistory/${month}/statement`);
    await page.getByText('=HYPERLINK("x")').waitFor();
    // 50 reels, and what was released: 250 + 357 coins.
    await page.getByRole('region', { name: 'What you earned' }).getByText('₹1.21').waitFor();
    await page
      .getByText('2 coins are less than one paisa, and count only when months are paid together.')
      .waitFor();
    const ledger = page.getByRole('region', { name: 'Withdrawals' });
    await ledger.getByText('To HDFC Bank ••••6789').waitFor();
    const steps = await ledger.getByRole('row').allInnerTexts();
    expect(steps.slice(1).map((row) => row.split(/\s+/).slice(-2))).toEqual([
      ['₹1.21', '₹1.21'],
      ['-₹1.21', '₹0.00'],
      ['₹1.21', '₹1.21'],
      ['-₹1.21', '₹0.00'],
    ]);

    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe(`jhalak-${month}.csv`);
    const file = await readFile(await saved.path(), 'utf8');
    expect(file.startsWith('\uFEFF')).toBe(true);
    const [head = [], ...rows] = file
      .slice(1)
      .trimEnd()
      .split('\r\n')
      .map((row) => [...row.matchAll(/"((?:[^"]|"")*)"|[^,"]+/g)].map(([all, quoted]) => quoted ?? all));
    expect(rows.every((row) => row.length === head.length)).toBe(true);
    expect(rows.every(([name, of]) => name === `'=HYPERLINK(""x"")` && of === month)).toBe(true);
    const column = (row: string[], name: string) => Number(row[head.indexOf(name)]);
    const total = rows.findIndex(([, , line]) => line === 'Total');
    const sum = rows.slice(0, total).reduce((all, row) => all + column(row, 'Coins'), 0);
    expect(sum).toBe(607);
    expect(column(rows[total] ?? [], 'Coins')).toBe(607);
    expect(column(rows[total] ?? [], 'Earned (INR)')).toBe(1.21);
    const after = rows.slice(total + 2, -1);
    expect(after.map(([, , line]) => line)).toEqual(['Requested', 'Not paid', 'Requested', 'Paid']);
    expect(after.map((row) => column(row, 'Amount (INR)'))).toEqual([1.21, -1.21, 1.21, -1.21]);
    expect(after.map((row) => column(row, 'Pending (INR)'))).toEqual([1.21, 0, 1.21, 0]);
    expect(after.map((row) => row.at(-1))).toEqual([
      '',
      'Please check, ""again""',
      '',
      `${reference}, HDFC Bank ••••6789`,
    ]);
    // All months together are paid in a financial year.
    const [year = []] = rows.slice(-1);
    expect(year[2]).toMatch(/^Paid from April \d{4} to March \d{4} \(INR\)$/);
    expect([column(year, 'Count'), column(year, 'Note')]).toEqual([1, 1.21]);
    const years = page.getByRole('region', { name: 'Paid by financial year' });
    await expect
      .poll(async () => (await years.innerText()).split('\n').slice(1))
      .toEqual([expect.stringMatching(/^April \d{4} – March \d{4}$/), '1 payment', '₹1.21']);

    await page.emulateMedia({ media: 'print' });
    for (const chrome of ['header', 'footer', 'button'])
      expect(await page.locator(chrome).first().isVisible()).toBe(false);
    await page.getByRole('heading', { name: 'Earning statement' }).waitFor();
    await ledger.waitFor();
    expect(complaints).toEqual([]);
    await leave();
  });

  it('shows a message for the current month, and 404 for an invalid month', async () => {
    const { page, leave } = await open({ person: beginner });
    await visit(page, `/EarningHistory/${keyOf(new Date())}/statement`);
    await page.getByText('This month is not over. Its figures can still change.').waitFor();
    await page.getByText('No withdrawals yet.').waitFor();
    await page.getByText('All dates and times are in India Standard Time.').waitFor();
    expect((await fetch(`${site.origin}/EarningHistory/october/statement`)).status).toBe(404);
    await leave();
  });
});

it('views that wait: the creator requests a review, and sees the decision and its reason in the history and the statement', async () => {
  const month = keyOf(monthsAgo(1));
  const creator = await signUpAt(site.origin, 'waiting');
  await reopenMonths(site.db);
  await inTransaction(site.db, (trx) =>
    addToMonths(trx, [{ creatorId: creator.id, month, views: 1500, stories: 2 }]),
  );
  await closeMonths(contextOn(site.db));
  const { page, complaints, leave } = await open({ person: creator });
  await visit(page, '/EarningHistory');
  const waiting = card(page, 1);
  await waiting.getByText(/^500 views are on hold/).waitFor();
  const ask = waiting.getByRole('button', { name: 'Ask for a review (once a month)' });
  await ask.click();
  await waiting.getByText(/^You asked for a review on /).waitFor();
  await ask.waitFor({ state: 'detached' });
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

it('a month that is over and not counted yet says so beside a disabled button', async () => {
  const creator = await creatorOf({ 1: 110 });
  await reopenMonths(site.db);
  await inTransaction(site.db, async (trx) => void (await holdMonths(trx, [keyOf(monthsAgo(1))])));
  const { page, complaints, leave } = await open({ person: creator });
  await visit(page, '/EarningHistory');
  const [name = ''] = label(1).split(' ');
  const button = card(page, 1).getByRole('button', { name: 'Withdraw', exact: true });
  expect(await button.getAttribute('aria-disabled')).toBe('true');
  await card(page, 1).getByText(`We are counting ${name}. It is ready in a few minutes.`).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await visit(page, `/EarningHistory/${keyOf(monthsAgo(1))}/statement`);
  await page.getByText(`We are counting ${name}. It is ready in a few minutes.`).waitFor();
  await closeMonths(contextOn(site.db));
  await visit(page, '/EarningHistory');
  await card(page, 1).getByRole('button', { name: 'Withdraw ₹1.10', exact: true }).waitFor();
  expect(complaints).toEqual([]);
  await leave();
});

it("the label of a month is in the browser's own locale, whatever language the page is in", async () => {
  const person = await creatorOf({ 1: 1 });
  const { page, leave } = await open({ person, locale: 'de-DE' });
  await visit(page, '/EarningHistory');
  const month = new Intl.DateTimeFormat('de', { month: 'long', year: 'numeric', timeZone }).format(
    monthsAgo(1),
  );
  await page.getByRole('article', { name: `${month} Earning` }).waitFor();
  await leave();
});
