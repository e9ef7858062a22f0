import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import {
  askForLook,
  cancelWithdrawal,
  type EarningItem,
  getHistory,
  getMonth,
  getWithdrawals,
  getWithdrawStatus,
  type HistoryRecord,
  requestWithdrawal,
  type Withdrawal,
} from '#contract/earnings.ts';
import { getDestination } from '#contract/payouts.ts';
import { refusal } from '#testing/page/answers.ts';
import { answerEarnings, linesOf } from '#testing/page/earnings.ts';
import { showPage } from '#testing/page/show-page.tsx';
import { month, reel, withdrawal, zoya } from '#testing/page/things.ts';

const open = (lang: 'en' | 'hi' = 'en') =>
  showPage({
    page: () => import('#web/pages/earning-history.tsx'),
    address: '/EarningHistory',
    person: zoya,
    lang,
  });
/** The card of a month, once it is shown. */
const card = async (label: string) =>
  within(await screen.findByRole('article', { name: `${label} Earning` }));
const october = () => card('October 2026');
/** A month that was requested, or whose result cannot be requested. */
const closed = (monthKey: string, reels: number, state: HistoryRecord['state'], more = {}) =>
  month(monthKey, reels, { state, withdrawable: false, ...more });
/** The history after a withdrawal. */
const requested = (months: HistoryRecord[], of: Partial<Withdrawal> = {}) => ({
  months,
  withdrawals: [withdrawal('2026-10', { paise: 110, ...of })],
});
/** Answers a history with its withdrawals. */
function answerHistory(
  server: ReturnType<typeof answerEarnings>,
  { months, withdrawals }: { months: HistoryRecord[]; withdrawals: Withdrawal[] },
) {
  server.on(getHistory, { data: { ...server.history.data, data: months } });
  server.on(getWithdrawals, { data: withdrawals, nextCursor: null });
  const standing = withdrawals.filter(({ status }) => status !== 'rejected');
  server.on(getWithdrawStatus, {
    data: Object.fromEntries(standing.map(({ month, status }) => [month, status as 'pending'])),
  });
}

it('/EarningHistory shows each month by its state, and each withdrawal step by step (specification §4)', async () => {
  const months = [
    closed('2026-11', 4, 'current'),
    month('2026-10', 110),
    closed('2026-09', 160, 'completed'),
    month('2026-08', 105),
    closed('2026-07', 50, 'too_little'),
    closed('2026-06', 130, 'pending'),
    closed('2026-05', 110, 'counting', { counted: false }),
  ];
  const at = '2026-10-02T06:30:00Z';
  const server = answerEarnings(months);
  const withdrawals = [
    withdrawal('2026-09', {
      ...{ status: 'completed', payout: 'paid', paise: 160, reference: 'UTR 1' },
      // The payment was found in the payer's record after a restore: nobody knows where it was sent.
      steps: [
        { step: 'approved', at, note: null },
        { step: 'sent', at, note: null },
        { step: 'paid', at, note: 'UTR 1' },
      ],
    }),
    withdrawal('2026-08', {
      ...{ status: 'rejected', payout: 'rejected', paise: 105, decidedAt: at },
      reason: 'The account carries another name.',
    }),
    withdrawal('2026-06', { payout: 'waiting_for_destination', readyAt: null, paise: 130 }),
  ];
  answerHistory(server, { months, withdrawals });
  await open();
  await october();
  expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual(
    ['November', 'October', 'September', 'August', 'July', 'June', 'May'].map(
      (name) => `${name} 2026 Earning`,
    ),
  );
  const of = async (name: string) => {
    const of = await card(`${name} 2026`);
    const button = of.queryByRole('button', { name: /^Withdraw/ });
    return { of, withdraw: button && [button.textContent, button.getAttribute('aria-disabled')] };
  };
  const november = await of('November');
  november.of.getByText('Current month');
  expect(november.withdraw).toBeNull();
  expect((await of('October')).withdraw).toEqual(['Withdraw ₹1.10', null]);
  const figures = [...((await october()).getByText('Coins Earned').closest('dl')?.children ?? [])];
  expect(figures.map(({ textContent }) => textContent)).toEqual([
    'Total Reels110',
    'Total Posts0',
    'Total Stories0',
    'Views0',
    'Likes0',
    'Coins Earned550',
  ]);
  const september = await of('September');
  september.of.getByText('Completed');
  september.of.getByText('Paid, reference UTR 1');
  september.of.getByText('Sent');
  expect(september.withdraw).toBeNull();
  const august = await of('August');
  august.of.getByText('Not paid: The account carries another name.');
  august.of.getByText(/then request this month again/);
  expect(august.withdraw).toEqual(['Withdraw ₹1.05', null]);
  const july = await of('July');
  july.of.getByText('Less than ₹1.00: not enough to withdraw.');
  expect(july.withdraw).toEqual(['Withdraw', null]);
  const june = await of('June');
  for (const words of ['Pending Withdraw', 'Requested ₹1.30', 'Waiting for your UPI id or bank account'])
    june.of.getByText(words);
  june.of.getByText(/^Next: you add one\./);
  const add = june.of.getByRole('link', { name: 'Add a UPI id or bank account' });
  expect(add.getAttribute('href')).toBe('/PayoutDestination');
  expect(june.withdraw).toBeNull();
  const may = await of('May');
  may.of.getByText('We are counting May. It is ready in a few minutes.');
  expect(may.withdraw).toEqual(['Withdraw', 'true']);
  const rows = [...document.querySelectorAll('details tbody tr')];
  expect(rows.map(({ textContent }) => textContent)).toEqual(
    [
      ['May', 550],
      ['June', 650],
      ['July', 250],
      ['August', 525],
      ['September', 800],
      ['October', 550],
    ]
      .map(([name, coins]) => `${name} 2026${coins}`)
      .concat('November 202620 (not over yet)'),
  );
});

describe('a withdrawal', () => {
  const masked = {
    ...({ kind: 'upi', masked: 'as•••@okaxis', bank: null, mergedInto: null } as const),
    ...{ chosenAt: '2026-10-03T06:30:00Z', heldUntil: null, nameNotTaken: false },
  };
  const pending = [closed('2026-10', 110, 'pending')];

  it('sends one request for several clicks, shows progress, and becomes Pending Withdraw', async () => {
    const server = answerEarnings([month('2026-10', 110)]);
    server.on(getDestination, { data: masked, unreadable: false });
    const answer = Promise.withResolvers<{ data: Withdrawal; message: string }>();
    server.on(requestWithdrawal, () => answer.promise);
    const { user } = await open();
    const of = await october();
    await user.click(of.getByRole('button', { name: 'Withdraw ₹1.10' }));
    const sheet = within(screen.getByRole('dialog'));
    sheet.getByText('₹1.10');
    await sheet.findByText('as•••@okaxis');
    await user.click(sheet.getByRole('button', { name: 'Request withdrawal' }));
    const busy = await of.findByRole('button', { name: 'Processing...' });
    expect(busy.getAttribute('aria-disabled')).toBe('true');
    await user.click(busy);
    answerHistory(server, requested(pending));
    answer.resolve({ data: withdrawal('2026-10', { paise: 110 }), message: 'Withdraw request submitted' });
    await screen.findByText('Withdraw request submitted successfully!');
    await of.findByText('Requested ₹1.10');
    expect(server.askedOf(requestWithdrawal).map(({ body }) => body)).toEqual([
      { month: '2026-10', totalRupee: '1.10', userId: zoya._id, userName: 'Zoya' },
    ]);
    // Who pressed with a keyboard stays with the month.
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Pending Withdraw'));
  });

  it('pays with a month the one before it, which was too little alone, and says so before and after', async () => {
    const [later, earlier] = [
      month('2026-10', 61, { carries: ['2026-09'], payablePaise: 112, payableRupees: '1.12' }),
      closed('2026-09', 51, 'too_little'),
    ];
    const server = answerEarnings([later, earlier]);
    server.on(requestWithdrawal, () => {
      const carried = [{ month: '2026-09', monthLabel: 'September 2026', coins: 255 }];
      const of = { paise: 112, payout: 'waiting_for_destination', carried } as const;
      const months = [
        closed('2026-10', 61, 'pending'),
        closed('2026-09', 51, 'pending', { carriedBy: '2026-10' }),
      ];
      answerHistory(server, requested(months, of));
      return { data: withdrawal('2026-10', of), message: '' };
    });
    const { user } = await open();
    const of = await october();
    const before = await card('September 2026');
    of.getByText('Oct ₹0.61 + Sept ₹0.51');
    before.getByText('Less than ₹1.00: not enough to withdraw.');
    await user.click(of.getByRole('button', { name: 'Withdraw ₹1.12' }));
    const sheet = within(screen.getByRole('dialog'));
    sheet.getByText('₹1.12');
    sheet.getByText('Includes September 2026, too little to be paid alone.');
    // Without a destination it can be requested, and waits.
    await user.click(await sheet.findByRole('button', { name: 'Request now, add it later' }));
    await of.findByText('Requested ₹1.12');
    before.getByText('Pending Withdraw');
    await before.findByText('Paid together with October 2026.');
    expect(server.askedOf(requestWithdrawal)[0]?.body).toMatchObject({ totalRupee: '1.12' });
  });

  it("that fails says so in the specification's words and in the server's own, and can be requested again", async () => {
    const server = answerEarnings([month('2026-10', 110)]);
    server.on(requestWithdrawal, refusal(409, 'amount_differs', 'October earned less by now.'), () => {
      answerHistory(server, requested(pending));
      return { data: withdrawal('2026-10', { paise: 110 }), message: '' };
    });
    const { user } = await open();
    const of = await october();
    const request = async () => {
      await user.click(of.getByRole('button', { name: 'Withdraw ₹1.10' }));
      await user.click(await screen.findByRole('button', { name: 'Request now, add it later' }));
    };
    await request();
    await screen.findByText('Something went wrong while requesting withdraw.');
    expect((await of.findByRole('alert')).textContent).toBe('October earned less by now.');
    await of.findByRole('button', { name: 'Withdraw ₹1.10' });
    await request();
    await of.findByText('Pending Withdraw');
    expect(of.queryByRole('alert')).toBeNull();
  });

  it('of a month under a rupee shows why the server refuses it, and asks for no confirmation', async () => {
    const sentence = 'October 2026 earned ₹0.99; a withdrawal starts at ₹1.00.';
    answerEarnings([closed('2026-10', 99, 'too_little')]).on(
      requestWithdrawal,
      refusal(409, 'below_minimum', sentence),
    );
    const { user } = await open();
    const of = await october();
    await user.click(of.getByRole('button', { name: 'Withdraw' }));
    await screen.findByText('Something went wrong while requesting withdraw.');
    expect((await of.findByRole('alert')).textContent).toBe(sentence);
    await waitFor(() => expect(of.getByRole('button', { name: 'Withdraw' })));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it.each([
    ['en', 'Cancel this withdrawal', 'Keep it', 'You cancelled it', 'You can request this month again.'],
    ['hi', 'यह निकासी रद्द करें', 'रहने दें', 'आपने इसे रद्द किया', 'आप यह महीना फिर से माँग सकते हैं।'],
  ] as const)(
    'is cancelled in its timeline, and can be requested again (%s)',
    async (lang, cancel, keep, cancelled, next) => {
      const server = answerEarnings([]);
      answerHistory(server, requested(pending));
      const after = { status: 'rejected', payout: 'cancelled', decidedAt: '2026-11-03T06:30:00Z' } as const;
      server.on(cancelWithdrawal, () => {
        answerHistory(server, requested([month('2026-10', 110)], after));
        return { data: withdrawal('2026-10', after) };
      });
      const { user } = await open(lang);
      const of = within(await screen.findByRole('article'));
      const sheet = () => within(screen.getByRole('dialog'));
      await user.click(of.getByRole('button', { name: cancel }));
      await user.click(sheet().getByRole('button', { name: keep }));
      expect(server.askedOf(cancelWithdrawal)).toEqual([]);
      await user.click(of.getByRole('button', { name: cancel }));
      await user.click(sheet().getByRole('button', { name: cancel }));
      await of.findByText(cancelled);
      of.getByText(next);
      expect(of.queryByRole('button', { name: cancel })).toBeNull();
      expect(document.activeElement?.textContent).toContain(cancelled);
      expect(server.askedOf(cancelWithdrawal).map(({ body }) => body)).toEqual([{ month: '2026-10' }]);
      if (lang === 'en') of.getByRole('button', { name: 'Withdraw ₹1.10' });
    },
  );
});

describe('the card of a month', () => {
  it('explains each coin by reel, and why other views did not count', async () => {
    const server = answerEarnings([month('2026-10', 2, { views: 23, totalCoins: 12 })]);
    const itemOf = (nth: number, more: Partial<EarningItem>): EarningItem => ({
      ...{
        kind: 'reel',
        _id: reel(nth, '')._id,
        caption: `Reel ${nth}`,
        publishedAt: '2026-10-03T06:30:00Z',
      },
      ...{ deletedAt: null, duplicate: false, copy: null, unpaid: null, publishedCoins: 5 },
      ...{ shown: 0, watched: 0, counted: 0, countedCoins: 0, leftOver: 0, coins: 5, uncounted: [] },
      ...more,
    });
    const items = [
      itemOf(1, {
        ...{ counted: 15, countedCoins: 1, leftOver: 5, coins: 6 },
        uncounted: [
          { reason: 'repeated', count: 2 },
          { reason: 'bot', count: 1 },
          { reason: 'own', count: 1 },
        ],
      }),
      itemOf(2, { counted: 8, leftOver: 8 }),
    ];
    const pooledViews = { count: 13, coins: 1, leftOver: 3 };
    const lines = linesOf(2, 23);
    server.on(getMonth, {
      data: { ...server.details, lines, totalCoins: 12, items, pooledViews },
      nextCursor: null,
    });
    const { user } = await open();
    const of = await october();
    await user.click(of.getByRole('button', { name: 'Where each coin came from: October 2026' }));
    await of.findByRole('heading', { name: 'Each reel, post and story' });
    const [first, second] = ['Reel 1', 'Reel 2'].map((caption) => of.getByText(caption).closest('li'));
    for (const words of [
      '15 counted views: 1 coin (5 views not enough for another coin)',
      '6 coins',
      '5 coins for publishing it',
      '2 repeat views within a day',
      '1 bot view',
      '1 view of your own',
    ])
      expect(first?.textContent).toContain(words);
    expect(second?.textContent).toContain('8 counted views');
    expect(second?.textContent).toContain('5 coins');
    // 6 + 5 of the reels, and 5 + 8 views left over make one more.
    const sums = of.getByText(/^Remaining views/).closest('dl');
    expect([...(sums?.children ?? [])].map(({ textContent }) => textContent)).toEqual([
      'Remaining views of all reels together: 13 views1 coin',
      'Total12 coins',
    ]);
  });

  it('asks for a review of views that wait, once; then shows when it was requested', async () => {
    const waiting = closed('2026-10', 40, 'too_little', { waitingViews: 500 });
    const server = answerEarnings([waiting]);
    server.on(askForLook, refusal(503, 'unavailable', 'Not now.'), () => {
      const lookAskedAt = '2026-11-03T06:30:00Z';
      server.on(getHistory, { data: { ...server.history.data, lookAskedAt } });
      return { data: { askedAt: lookAskedAt } };
    });
    const { user } = await open();
    const of = await october();
    of.getByText('500 views are on hold. We check them by hand.');
    const ask = () => of.getByRole('button', { name: 'Ask for a review (once a month)' });
    await user.click(ask());
    expect((await of.findByRole('alert')).textContent).toBe('Not now.');
    await waitFor(() => expect(ask().getAttribute('aria-disabled')).toBeNull());
    await user.click(ask());
    await of.findByText('You asked for a review on 3 Nov 2026. You can ask again next month.');
    expect(of.queryByRole('button', { name: /^Ask for a review/ })).toBeNull();
  });

  it('says what was decided about its views, and why', async () => {
    const about = { month: '2026-10', countsIn: '2026-10', decidedAt: '2026-11-03T06:30:00Z', views: 500 };
    const decisions = [
      { ...about, act: 'released', countsIn: '2026-11', coins: 50, reason: 'A new site' },
      { ...about, act: 'void', coins: 50, reason: 'All from one script' },
    ] as const;
    answerEarnings([month('2026-10', 110, { decisions: [...decisions] })]);
    await open();
    const of = await october();
    of.getByText(/^500 views of October 2026 were released: 50 coins count in November 2026/);
    of.getByText('A new site');
    of.getByText(/^500 views of October 2026 are void: 50 coins are taken back/);
    of.getByText('All from one script');
  });
});
