import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  approveBatch,
  type Batch,
  listBatches,
  recordPayments,
  sendBatch,
  showBatch,
  type WholeBatch,
} from '#contract/batches.ts';
import { confirm } from '#contract/confirmation.ts';
import {
  completeWithdrawal,
  listWithdrawals,
  listYearlyTotals,
  rejectWithdrawal,
  type WithdrawalForReview,
} from '#contract/operators.ts';
import { listPasskeys } from '#contract/passkeys.ts';
import { showWithdrawal, type WithdrawalCase } from '#contract/withdrawal-case.ts';
import { refusal } from '#testing/page/answers.ts';
import { idOf, openConsole, operatorsServer, press } from '#testing/page/console.ts';

const money: WithdrawalForReview = {
  ...{
    _id: idOf(1),
    userId: idOf(9),
    month: '2026-10',
    monthLabel: 'October 2026',
    coins: 61_750,
    carried: [],
  },
  ...{
    paise: 12_350,
    rupees: '123.50',
    totalRupee: '123.50',
    status: 'pending',
    payout: 'in_review',
    steps: [],
  },
  ...{ reference: null, reason: null, createdAt: '2026-11-02T06:00:00Z', readyAt: null, decidedAt: null },
  ...{ name: 'Binod', username: 'binod', email: 'binod@people.example', suspendedAt: null },
  joinedAt: '2026-09-01T06:00:00Z',
  destination: {
    ...{ kind: 'bank', masked: '••••9012', bank: 'HDFC Bank', mergedInto: null, heldUntil: null },
    ...{ chosenAt: '2026-09-02T06:00:00Z', nameNotTaken: false },
  },
  marks: ['few_viewers', 'shared_destination'],
  evidence: [{ mark: 'few_viewers', found: 812, of: 900, month: '2026-10' }],
  ...{ waitingViews: 0, waitingCoins: 0 },
};
const moneyCase: WithdrawalCase = {
  ...money,
  months: [{ month: '2026-10', coins: 61_750, paise: 12_350, state: 'pending' }],
  sharing: { count: 1001, people: [{ _id: idOf(4), username: 'chitra' }] },
  batchId: idOf(7),
  others: [{ ...money, _id: idOf(2), status: 'completed', payout: 'paid', paise: 5_000 }],
  history: [],
};
const unconfirmed = () =>
  refusal(403, 'confirmation_required', 'For your safety, log in again and repeat this within ten minutes.');

describe('withdrawals', () => {
  it('that wait are listed first, with what is worth a look', async () => {
    const server = operatorsServer();
    server.on(listWithdrawals, { data: [money], nextCursor: null });
    const { user } = await openConsole('?part=withdrawals');
    const row = await screen.findByRole('link', { name: /₹123.50/ });
    expect(row.textContent).toMatch(/@binod.*October 2026.*Few viewers.*Shared destination.*Can be paid/);
    expect(server.askedOf(listWithdrawals).at(-1)?.query).toEqual({ state: 'pending' });
    await user.selectOptions(screen.getByLabelText('State'), 'Rejected');
    await waitFor(() => expect(server.askedOf(listWithdrawals).at(-1)?.query).toEqual({ state: 'rejected' }));
  });

  it('show their evidence, and are paid once a code has confirmed it', async () => {
    const server = operatorsServer();
    server.on(listWithdrawals, { data: [money], nextCursor: null });
    server.on(showWithdrawal, { data: moneyCase });
    const { user } = await openConsole(`?part=withdrawals&case=${money._id}`);
    const shown = within(await screen.findByRole('article'));
    shown.getByText('Few viewers: 812 of 900 (October 2026)');
    expect(shown.getByText('Paid to').nextElementSibling?.textContent).toBe('HDFC Bank ••••9012');
    expect(shown.getByText('Other accounts paid there').nextElementSibling?.textContent).toBe(
      '1,000+@chitra',
    );
    shown.getByText('₹50.00');
    press('m');
    const dialog = within(await screen.findByRole('dialog', { name: 'Mark as paid' }));
    await user.type(dialog.getByLabelText(/^Reference/), 'UTR 12');
    server.on(completeWithdrawal, unconfirmed(), { data: money });
    server.on(confirm, { confirmation: 'c'.repeat(43) });
    server.on(listPasskeys, { data: [] });
    await user.click(dialog.getByRole('button', { name: 'Mark as paid' }));
    await user.type(await screen.findByLabelText(/^Code of the app/), '123456{Enter}');
    await waitFor(() => expect(server.askedOf(completeWithdrawal)).toHaveLength(2));
    expect(server.askedOf(completeWithdrawal)[1]?.body).toEqual({ reference: 'UTR 12' });
    expect(server.askedOf(confirm)[0]?.body).toEqual({
      act: 'complete_withdrawal',
      params: { id: money._id, reference: 'UTR 12' },
      totp: '123456',
    });
  });

  it('are rejected with a reason and a decision about their views', async () => {
    const server = operatorsServer();
    server.on(listWithdrawals, { data: [money], nextCursor: null });
    server.on(showWithdrawal, { data: { ...moneyCase, waitingViews: 3, waitingCoins: 1 } });
    server.on(rejectWithdrawal, { data: money });
    const { user } = await openConsole(`?part=withdrawals&case=${money._id}`);
    await user.click(await screen.findByRole('button', { name: /^Reject/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Reject' }));
    await user.type(dialog.getByLabelText(/^Reason/), 'Bought views');
    await user.click(dialog.getByLabelText('Those that wait are released'));
    await user.click(dialog.getByRole('button', { name: 'Reject' }));
    await waitFor(() =>
      expect(server.askedOf(rejectWithdrawal).at(-1)?.body).toEqual({
        reason: 'Bought views',
        waiting: 'release',
      }),
    );
  });

  it('are exported as totals of a financial year', async () => {
    const server = operatorsServer();
    server.on(listWithdrawals, { data: [], nextCursor: null });
    const total = {
      userId: idOf(9),
      name: '=Binod',
      username: 'binod',
      payments: 2,
      paidPaise: 100,
      rupees: '1.00',
    };
    server.on(
      listYearlyTotals,
      { data: [total], nextCursor: 'more' },
      { data: [{ ...total, username: 'chitra' }], nextCursor: null },
    );
    const saved: Blob[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      saved.push(blob as Blob);
      return 'blob:x';
    });
    vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined);
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    onTestFinished(() => void vi.restoreAllMocks());
    const { user } = await openConsole('?part=withdrawals');
    await screen.findByText('No withdrawal is in this state.');
    await user.click(screen.getByRole('button', { name: 'Totals as CSV' }));
    await waitFor(() => expect(saved).toHaveLength(1));
    const lines = (await saved[0]?.text())?.split('\r\n');
    expect(lines?.[0]).toBe('"year","userId","username","name","payments","rupees"');
    expect(lines?.[1]).toContain(`"binod","'=Binod",2,"1.00"`);
    expect(lines?.[2]).toContain('"chitra"');
  });
});

describe('batches', () => {
  const batch: Batch = {
    ...{ _id: idOf(1), payer: 'file', state: 'proposed', paise: 12_350, rupees: '123.50', madeBy: idOf(6) },
    ...{ madeAt: '2026-11-02T06:00:00Z', approvedBy: null, endedAt: null },
  };
  const payment: WholeBatch['payments'][number] = {
    ...{ _id: idOf(3), withdrawalId: idOf(2), userId: idOf(9), number: 1, paise: 12_350, rupees: '123.50' },
    ...{ state: 'exported', to: 'HDFC Bank ••••9012', reference: null, reason: null, marks: ['retried'] },
  };
  const whole = (state: Batch['state']) => ({ data: { ...batch, state, payments: [payment], history: [] } });

  it('are approved, and sent as a file for the bank', async () => {
    const server = operatorsServer();
    server.on(listBatches, { data: [batch], nextCursor: null, lock: null });
    server.on(showBatch, whole('proposed'), whole('approved'));
    server.on(approveBatch, whole('approved'));
    server.on(sendBatch, { ...whole('sent'), file: '' });
    const { user } = await openConsole(`?part=batches&case=${batch._id}`);
    await user.click(await screen.findByRole('button', { name: /^Approve/ }));
    const approval = within(await screen.findByRole('dialog', { name: 'Approve' }));
    await user.click(approval.getByRole('button', { name: 'Approve' }));
    await user.click(await screen.findByRole('button', { name: /^Send/ }));
    const sending = within(await screen.findByRole('dialog', { name: 'Send' }));
    sending.getByText(/complete account numbers/);
    await user.click(sending.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(server.askedOf(sendBatch).at(-1)?.body).toEqual({ again: false }));
  });

  it('have payments whose end is recorded, or refused with a sentence', async () => {
    const server = operatorsServer();
    server.on(listBatches, { data: [{ ...batch, state: 'sent' }], nextCursor: null, lock: null });
    server.on(showBatch, whole('sent'));
    const refused = { _id: payment._id, result: 'refused', error: 'It was paid already.' } as const;
    server.on(recordPayments, { data: [refused] }, { data: [{ ...refused, result: 'noted', error: null }] });
    const { user } = await openConsole(`?part=batches&case=${batch._id}`);
    await user.click(await screen.findByRole('button', { name: 'Record as failed' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Record as failed' }));
    await user.type(dialog.getByLabelText(/^Reason/), 'Account closed');
    await user.click(dialog.getByRole('button', { name: 'Record as failed' }));
    await dialog.findByText('It was paid already.');
    await user.click(dialog.getByRole('button', { name: 'Record as failed' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.askedOf(recordPayments).at(-1)?.body).toEqual({
      payments: [{ id: payment._id, state: 'failed', reason: 'Account closed' }],
    });
  });
});
