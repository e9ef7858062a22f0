import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { getActivity } from '#contract/activity.ts';
import {
  getHistory,
  getWithdrawals,
  getWithdrawStatus,
  type HistoryRecord,
  updateStatus,
  type Withdrawal,
} from '#contract/earnings.ts';
import { getDestination, type MaskedDestination } from '#contract/payouts.ts';
import { answerCalls } from '#testing/page/answers.ts';
import { activity, answerEarnings, linesOf, thisMonth } from '#testing/page/earnings.ts';
import { arriveAt, showPage } from '#testing/page/show-page.tsx';
import { month, withdrawal, zoya } from '#testing/page/things.ts';

const pages = {
  '/EarningDashboard': () => import('#web/pages/earning-dashboard.tsx'),
  '/EarningActivity': () => import('#web/pages/earning-activity.tsx'),
  '/EarningHistory': () => import('#web/pages/earning-history.tsx'),
  '/EarningHistory/2026-01/statement': () => import('#web/pages/earning-statement.tsx'),
};
const open = (address: keyof typeof pages, lang: 'en' | 'hi' = 'en') =>
  showPage({ page: pages[address], address, person: zoya, lang });
const notFound = () => Response.json({}, { status: 404 });
/** What a cell says, with a space between its parts. */
function words(cell: Element): string {
  const parts: string[] = [];
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    parts.push(node.textContent?.trim() ?? '');
  return parts.filter((part) => part !== '').join(' ');
}

describe.each(Object.entries(pages))('%s', (address, page) => {
  it('asks a visitor to log in, without a word about a session, and calls nothing', async () => {
    const { asked } = answerCalls();
    await showPage({
      page,
      address,
      pattern: address.replace('2026-01', ':month'),
      loaded: { month: '2026-01' },
    });
    await screen.findByRole('link', { name: 'Login' });
    if (address === '/EarningActivity') screen.getByRole('heading', { name: 'How it works' });
    expect(screen.queryByText(/Your session has ended/)).toBeNull();
    expect(asked).toEqual([]);
  });
});

describe('/EarningDashboard', () => {
  it('shows an error, refetches on retry, and without earnings shows an invitation and sends nothing to the server', async () => {
    const server = answerEarnings([]);
    server.on(getActivity, notFound(), { data: activity });
    const { user } = await open('/EarningDashboard');
    await user.click(await screen.findByRole('button', { name: 'Try again' }));
    await screen.findByText(/You get 5 coins as soon as you publish a reel\./);
    expect(screen.getByRole('link', { name: 'Upload a reel' }).getAttribute('href')).toBe('/ReelPost');
    expect(server.askedOf(updateStatus)).toEqual([]);
  });

  it("shows the server's record, whatever the coins sent: each line is count × rate, and they add up", async () => {
    const server = answerEarnings([], linesOf(3, 47));
    await open('/EarningDashboard');
    await screen.findByRole('table');
    const rows = screen.getAllByRole('row').slice(1);
    expect(rows.map((row) => [...row.children].map((cell) => words(cell)).join(' '))).toEqual([
      'Reels 3 × 5 coins 15',
      'Posts 0 × 2 coins 0',
      'Stories 0 × 1 coin 0',
      'Views 47 ÷ 10 7 not enough for a coin 4',
      'Likes 0 ÷ 10 0',
      'Total 19',
    ]);
    screen.getByText('₹0.03 so far');
    screen.getByText('481 more coins to ₹1');
    screen.getByText('Yesterday: 214 watched, about +21 coins');
    expect(server.askedOf(updateStatus).map(({ body }) => body)).toEqual([
      {
        userId: zoya._id,
        month: thisMonth,
        coins: 19,
        breakdown: { reels: 3, posts: 0, stories: 0, views: 47, likes: 0 },
      },
    ]);
  });

  it('passes the total to the history, which shows it at once', async () => {
    answerEarnings([month('2026-11', 2, { state: 'current' }), month('2026-10', 100)]);
    const { user } = await open('/EarningDashboard');
    await screen.findByText('510 coins in all, ₹1.02');
    await user.click(screen.getByRole('link', { name: /Earning History/ }));
    await arriveAt('/EarningHistory');
    screen.getByText('with {"coins":510,"rupees":1.02}');
  });
});

describe('the congratulation at 500 coins (specification §2)', () => {
  const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
  const shown = () => screen.queryByRole('dialog');
  /** Opens the dashboard with a clock that stands still, until the coins are known. */
  async function openUntil(coins: string) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const page = await open('/EarningDashboard');
    while (!screen.queryByText(coins)) await pass(1);
    return page;
  }

  it('appears 1 second after the coins are known, and once a month however often the page is opened', async () => {
    answerEarnings([], linesOf(100, 0));
    const first = await openUntil('₹1.00 so far');
    // The coins became known a few milliseconds ago.
    await pass(900);
    expect(shown()).toBeNull();
    await pass(100);
    within(screen.getByRole('dialog')).getByText('Congratulations!');
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Continue' })));
    expect(shown()).toBeNull();
    await pass(60_000);
    expect(shown()).toBeNull();
    first.unmount();
    const second = await openUntil('₹1.00 so far');
    await pass(60_000);
    expect(shown()).toBeNull();
    second.unmount();
    // The next month is another occasion.
    answerEarnings([], linesOf(100, 0)).on(getActivity, { data: { ...activity, month: '2026-12' } });
    await openUntil('₹1.00 so far');
    await pass(1000);
    expect(shown()).not.toBeNull();
  });

  it.each<[string, (dialog: HTMLElement) => void]>([
    ['its button', (dialog) => fireEvent.click(within(dialog).getByRole('button', { name: 'Continue' }))],
    ['its cross', (dialog) => fireEvent.click(within(dialog).getByRole('button', { name: 'Close' }))],
    ['a press outside', (dialog) => fireEvent.click(dialog)],
    ['Escape', (dialog) => fireEvent(dialog, new Event('cancel', { cancelable: true }))],
  ])('is dismissed by %s', async (_, dismiss) => {
    answerEarnings([], linesOf(100, 0));
    await openUntil('₹1.00 so far');
    await pass(1000);
    const dialog = screen.getByRole('dialog');
    await act(async () => void fireEvent.click(within(dialog).getByText('Congratulations!')));
    expect(shown(), 'a press inside').toBe(dialog);
    await act(async () => dismiss(dialog));
    expect(shown()).toBeNull();
  });

  it('does not appear at 499 coins', async () => {
    answerEarnings([], linesOf(99, 40));
    await openUntil('₹0.99 so far');
    await pass(60_000);
    expect(shown()).toBeNull();
  });
});

describe('/EarningActivity', () => {
  it('explains activity earning by the rates, also when its figures fail to load, and after a retry shows what this month has brought', async () => {
    answerEarnings([]).on(getActivity, notFound(), { data: activity });
    const { user } = await open('/EarningActivity');
    const retry = await screen.findByRole('button', { name: 'Try again' });
    for (const sentence of [
      '1 coin for every reel you scroll',
      '1 coin for every reel you like',
      '1 coin for every photo you like',
      '1 coin for every hour you are active',
      '5,000 activity coins = ₹1',
      'Minimum withdraw amount: ₹1 or above.',
    ])
      screen.getByText(sentence);
    for (const section of ['Activity earnings', 'How it works', 'Conversion rate', 'Withdraw rules'])
      screen.getByRole('heading', { name: section });
    await user.click(retry);
    const figures = await screen.findByRole('region', { name: 'Your activity in November 2026' });
    expect([...figures.querySelectorAll('dd')].map(({ textContent }) => textContent)).toEqual([
      '0',
      '0',
      '1',
      '0',
      '1',
    ]);
    // They cannot be withdrawn, so no rupees stand beside them.
    expect(figures.textContent).not.toContain('₹');
    within(figures).getByText("You can't withdraw activity coins yet.");
  });
});

describe('what /EarningHistory begins with', () => {
  /** The top card, once the history is loaded: then the notes are below. */
  async function top() {
    await screen.findByRole('heading', { name: 'Please note' });
    return within(screen.getByRole('region', { name: 'Your money' }));
  }
  const masked: MaskedDestination = {
    kind: 'upi',
    masked: 'as•••@okaxis',
    bank: null,
    mergedInto: null,
    chosenAt: '2026-10-03T06:30:00Z',
    heldUntil: null,
    nameNotTaken: false,
  };
  /** Answers a history, what was requested of it, and where it is paid. */
  function answerMoney(
    months: HistoryRecord[],
    balance: { availablePaise: number; pendingPaise: number },
    { withdrawals = [] as Withdrawal[], destination = null as MaskedDestination | null } = {},
  ) {
    const server = answerEarnings(months);
    const { data } = server.history;
    server.on(getHistory, { data: { ...data, balance: { ...balance, paidPaise: 0 } } });
    const requested = withdrawals.filter(({ status }) => status !== 'rejected');
    server.on(getWithdrawStatus, {
      data: Object.fromEntries(requested.map(({ month, status }) => [month, status as 'pending'])),
    });
    server.on(getWithdrawals, { data: withdrawals, nextCursor: null });
    server.on(getDestination, { data: destination, unreadable: false });
  }
  const nothingElse = { availablePaise: 0, pendingPaise: 0 };
  const notYet = { withdrawable: false } as const;

  it('is what the server says can be withdrawn, where it goes, and the way to the oldest month that can be requested', async () => {
    const months = [
      month('2026-10', 110),
      month('2026-09', 105),
      month('2026-08', 99, { ...notYet, state: 'too_little' }),
    ];
    // One paisa more than the months add up to.
    answerMoney(months, { availablePaise: 216, pendingPaise: 0 }, { destination: masked });
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
    const { user } = await open('/EarningHistory');
    const card = await top();
    card.getByText('₹2.16');
    card.getByRole('heading', { name: 'Can be withdrawn now' });
    card.getByText('Paid to as•••@okaxis.');
    card.getByText('We check each withdrawal and then pay it. Its month below shows each step.');
    await user.click(card.getByRole('button', { name: 'Go to September 2026 to withdraw' }));
    const september = within(screen.getByRole('article', { name: 'September 2026 Earning' }));
    expect(document.activeElement).toBe(september.getByRole('button', { name: 'Withdraw ₹1.05' }));
    expect(scrolled).toHaveBeenCalledWith({ block: 'center', behavior: 'smooth' });
    scrolled.mockRestore();
  });

  it('jumps to the month for who wants reduced motion', async () => {
    answerMoney([month('2026-10', 110)], { availablePaise: 110, pendingPaise: 0 });
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
    const matchMedia = vi.spyOn(window, 'matchMedia');
    matchMedia.mockImplementation(
      (media) =>
        Object.assign(new EventTarget(), {
          matches: media.includes('reduced-motion'),
          media,
        }) as MediaQueryList,
    );
    const { user } = await open('/EarningHistory');
    await user.click(await screen.findByRole('button', { name: 'Go to October 2026 to withdraw' }));
    expect(scrolled).toHaveBeenCalledWith({ block: 'center', behavior: 'instant' });
    matchMedia.mockRestore();
    scrolled.mockRestore();
  });

  it('without a destination leads to where it is added, and says what that holds', async () => {
    answerMoney([month('2026-10', 110)], { availablePaise: 110, pendingPaise: 0 });
    await open('/EarningHistory');
    const card = await top();
    const add = card.getByRole('link', { name: 'Add where your money goes' });
    expect(add.getAttribute('href')).toBe('/PayoutDestination');
    card.getByText('Nothing is paid before you add it and 72 hours have passed.');
  });

  it('says until when payouts are held', async () => {
    const heldUntil = '2026-11-06T06:30:00Z';
    answerMoney(
      [month('2026-10', 110)],
      { availablePaise: 110, pendingPaise: 0 },
      {
        destination: { ...masked, heldUntil },
      },
    );
    await open('/EarningHistory');
    (await top()).getByText(/^Nothing is paid before 6 Nov 2026, 12:00/);
  });

  it('says how long most of at least three earlier payments took', async () => {
    const paid = ['2026-09', '2026-08', '2026-07'].map((key, place) =>
      withdrawal(key, {
        status: 'completed',
        payout: 'paid',
        readyAt: '2026-10-01T06:30:00Z',
        decidedAt: `2026-10-0${place + 2}T05:30:00Z`,
      }),
    );
    answerMoney(
      [month('2026-10', 110)],
      { availablePaise: 110, pendingPaise: 0 },
      {
        withdrawals: paid,
        destination: masked,
      },
    );
    await open('/EarningHistory');
    (await top()).getByText('Usually paid within 2 days, as most of your 3 payments so far.');
  });

  it.each([
    ['waiting_for_destination', 'You asked for it. It waits until you add where your money goes.'],
    ['waiting_for_address', 'You asked for it. It waits until you verify your email address.'],
    ['in_review', 'You asked for it, and we are checking it. You need not do anything.'],
    ['returned', 'A payment came back. Check where your money goes; then we pay it again.'],
  ] as const)('is what was requested, if nothing can be withdrawn: %s', async (payout, sentence) => {
    const months = [month('2026-10', 110, { ...notYet, state: 'pending', status: 'pending', payout })];
    answerMoney(
      months,
      { availablePaise: 0, pendingPaise: 110 },
      {
        withdrawals: [withdrawal('2026-10', { payout, paise: 110 })],
      },
    );
    await open('/EarningHistory');
    const card = await top();
    card.getByText('₹1.10');
    card.getByRole('heading', { name: 'Pending' });
    card.getByText(sentence);
    expect(card.queryByRole('button')).toBeNull();
    const verify = card.queryByRole('link', { name: 'Verify your email address' });
    expect(verify !== null).toBe(payout === 'waiting_for_address');
  });

  it.each([
    ['counting', 110, 'October 2026', 'We are counting October. It is ready in a few minutes.', false],
    ['current', 110, 'October 2026 so far', 'You can withdraw it once October is over.', false],
    [
      'current',
      40,
      'October 2026 so far',
      'You can withdraw it once October is over and it has reached ₹1.00. Publish to earn more.',
      true,
    ],
    ['too_little', 40, 'October 2026', 'Less than ₹1.00: not enough to withdraw.', true],
  ] as const)('is the next month, if nothing was requested either: %s, %d paise', async (...row) => {
    const [state, paise, label, sentence, invites] = row;
    answerMoney(
      [month('2026-10', paise, { ...notYet, state, counted: state === 'too_little' })],
      nothingElse,
    );
    await open('/EarningHistory');
    const card = await top();
    card.getByText(`₹${(paise / 100).toFixed(2)}`);
    card.getByRole('heading', { name: label });
    card.getByText(sentence);
    expect(card.queryByRole('link', { name: 'Upload a reel' }) !== null).toBe(invites);
  });

  it('says how much of the amount of the running month is from earlier ones', async () => {
    const carries = { carries: ['2026-09'], payablePaise: 164, payableRupees: '1.64' };
    answerMoney([month('2026-10', 110, { ...notYet, state: 'current', ...carries })], nothingElse);
    await open('/EarningHistory');
    const card = await top();
    card.getByText('₹1.64');
    card.getByText('₹0.54 of it is from earlier months.');
  });

  it('invites a beginner to publish', async () => {
    answerMoney([], nothingElse);
    await open('/EarningHistory');
    const card = await top();
    card.getByText('₹0.00');
    card.getByText(/You get 5 coins as soon as you publish a reel\./);
    expect(card.getByRole('link', { name: 'Upload a reel' }).getAttribute('href')).toBe('/ReelPost');
    expect(screen.queryByText('Coins by month')).toBeNull();
  });

  it('is in Hindi, too', async () => {
    answerMoney([month('2026-10', 110)], { availablePaise: 110, pendingPaise: 0 });
    await open('/EarningHistory', 'hi');
    await screen.findByRole('button', { name: 'निकालने के लिए अक्टूबर 2026 पर जाएँ' });
    screen.getByRole('link', { name: 'बताएँ कि आपका पैसा कहाँ जाए' });
  });
});

describe('/EarningHistory', () => {
  const rounded = 'Each month is rounded down to whole paise, so the months can add up to a little less.';

  it('says that months are rounded down where they come to less than the total, and only there', async () => {
    // 8 coins are 1.6 paise.
    const eight = { views: 30, totalCoins: 8, paise: 1, state: 'too_little', withdrawable: false } as const;
    answerEarnings([month('2026-10', 1, eight), month('2026-09', 1, eight)]);
    const { unmount } = await open('/EarningHistory');
    await screen.findByText('₹0.03');
    screen.getByText(rounded);
    unmount();
    answerEarnings([month('2026-10', 100)]);
    await open('/EarningHistory');
    await screen.findByRole('article');
    await waitFor(() => expect(screen.queryByText(rounded)).toBeNull());
  });

  it('logs a history that fails to load, offers a retry, and shows a message without history', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const server = answerEarnings([]);
    server.on(getHistory, notFound(), server.history);
    const { user } = await open('/EarningHistory');
    const retry = await screen.findByRole('button', { name: 'Try again' });
    expect(screen.queryByText('Loading earning history...')).toBeNull();
    within(screen.getByRole('region', { name: 'Your money' })).getByText('—');
    within(screen.getByRole('region', { name: 'Total Earning' })).getAllByText('—');
    expect(screen.queryByText('No earnings history found.')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
    const logged = log.mock.calls.filter(([first]) => String(first).includes('earning history did not load'));
    expect(logged).toHaveLength(1);
    log.mockRestore();
    await user.click(retry);
    await screen.findByText('No earnings history found.');
    for (const note of [
      'Please withedraw only in mobile...',
      'When you have completed one month, you will get the withdraw button',
      'Minimum withdraw amount: ₹1 or above.',
    ])
      screen.getByText(note);
  });

  it('shows the navigation state while loading, then the server’s data', async () => {
    const server = answerEarnings([month('2026-11', 3, { state: 'current' }), month('2026-10', 100)]);
    const answer = Promise.withResolvers<typeof server.history>();
    server.on(getHistory, () => answer.promise);
    const address = '/EarningHistory';
    await showPage({ page: pages[address], address, person: zoya, state: { coins: 510, rupees: 1.02 } });
    await screen.findByText('Loading earning history...');
    const total = () => words(screen.getByRole('region', { name: 'Total Earning' }));
    expect(total()).toBe('Total Earning ₹ 510 coins ₹1.02 Pending — Paid —');
    answer.resolve(server.history);
    await waitFor(() => expect(total()).toContain('515 coins ₹1.03'));
    expect(screen.queryByText('Loading earning history...')).toBeNull();
  });

  it('folds the chart and its table below the months', async () => {
    answerEarnings([month('2026-10', 100)]);
    await open('/EarningHistory');
    const last = (await screen.findAllByRole('article')).at(-1);
    const folded = screen.getByText('Coins by month', { selector: 'summary' }).closest('details');
    expect(folded?.open).toBe(false);
    expect(folded?.querySelector('table')?.rows).toHaveLength(2);
    expect((folded && last?.compareDocumentPosition(folded)) ?? 0).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it('formats months, numbers and rupees in Hindi', async () => {
    answerEarnings([month('2026-10', 201, { totalCoins: 101_005, paise: 20_201 })]);
    await open('/EarningHistory', 'hi');
    await screen.findAllByText('1,01,005');
    screen.getAllByText('₹202.01');
    // The label of a month is in the browser's own locale, whatever language the page is in (e2e/earnings.test.ts).
    screen.getByRole('article', { name: 'October 2026 की कमाई' });
  });
});
