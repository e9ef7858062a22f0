import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { listDifferences, type StoredDifference, showDifference } from '#contract/audit-differences.ts';
import { type LedgerEntry, listLedger, showLedgerEntry } from '#contract/ledger-entries.ts';
import { getLastAudit } from '#contract/operators.ts';
import { idOf, openConsole, operatorsServer } from '#testing/page/console.ts';

const lastAudit = (differences: number) => ({
  data: { at: '2026-11-12T21:43:00Z', ageSeconds: 60, months: 12, withdrawals: 1, differences },
});

describe('the ledger', () => {
  const entry: LedgerEntry = {
    ...{ _id: idOf(1), step: 'completed', attempt: 1, debit: 'creator_payable', credit: 'payouts' },
    ...{ paise: 123_450, postedAt: '2026-11-10T06:00:00Z', postedBy: 'ravi' },
    ...{ withdrawalId: idOf(2), month: '2026-10', userId: idOf(3), username: 'binod' },
  };

  it('is asked for by its filters in the address, and shows an entry with all of its withdrawal', async () => {
    const server = operatorsServer();
    server.on(getLastAudit, lastAudit(0));
    server.on(listLedger, { data: [entry], nextCursor: null });
    server.on(showLedgerEntry, {
      data: { ...entry, all: [{ ...entry, _id: idOf(4), step: 'requested' }, entry] },
    });
    const { user } = await openConsole('?part=ledger&about=binod');
    await screen.findByText(/12 months and 1 withdrawal\. The books agree with the events\./);
    expect(server.askedOf(listLedger).at(-1)?.query).toEqual({ about: 'binod' });
    await user.selectOptions(screen.getByLabelText('Step'), 'Paid');
    await waitFor(() =>
      expect(server.askedOf(listLedger).at(-1)?.query).toEqual({ about: 'binod', step: 'completed' }),
    );
    await user.click(await screen.findByRole('link', { name: /₹1,234.50/ }));
    const shown = await screen.findByRole('article');
    const steps = within(shown)
      .getAllByRole('row')
      .map((row) => row.textContent);
    expect(steps).toEqual([
      'Posted onStepAmount',
      expect.stringMatching(/Asked for₹1,234\.50$/),
      expect.stringMatching(/Paid₹1,234\.50$/),
    ]);
    expect(within(shown).getByRole('link', { name: '@binod' }).getAttribute('href')).toContain(
      `part=people&case=${idOf(3)}`,
    );
    expect(within(shown).getByRole('link', { name: 'October 2026' }).getAttribute('href')).toContain(
      `part=withdrawals&case=${idOf(2)}`,
    );
  });
});

describe('what the audit found', () => {
  const difference: StoredDifference = {
    ...{ _id: idOf(1), what: 'withdrawal', about: idOf(2), userId: idOf(3), username: 'binod' },
    ...{ month: '2026-10', figure: 'coins', recorded: '700', derived: '500' },
    foundAt: '2026-11-12T21:43:00Z',
  };

  it('is a list with a page each, which says what was expected and found, since when, and what to do', async () => {
    const server = operatorsServer();
    server.on(getLastAudit, lastAudit(1));
    server.on(listDifferences, { data: [difference], nextCursor: null });
    server.on(showDifference, { data: difference });
    const { user } = await openConsole('?part=differences');
    await screen.findByRole('link', { name: 'The audit found 1 difference' });
    await user.click(await screen.findByRole('link', { name: /@binod/ }));
    const shown = await screen.findByRole('article');
    const facts = within(shown)
      .getAllByRole('term')
      .map((term) => `${term.textContent}: ${term.nextSibling?.textContent}`);
    expect(facts).toEqual(
      expect.arrayContaining(['Whose: @binod', 'Expected, from the events: 500', 'Found in the books: 700']),
    );
    within(shown).getByText(/^A withdrawal does not agree/);
    within(shown).getByText(/^Leave what it names out of batches/);
    expect(
      within(shown)
        .getByRole('link', { name: idOf(2) })
        .getAttribute('href'),
    ).toContain('part=withdrawals');
    expect(within(shown).queryByText('What operators did')).toBeNull();
  });

  it('says so where there is nothing, and where there was no audit', async () => {
    const server = operatorsServer();
    server.on(getLastAudit, { data: null });
    server.on(listDifferences, { data: [], nextCursor: null });
    await openConsole('?part=differences');
    await screen.findByText('Nothing is listed here.');
    await screen.findByText(/not audited yet/);
  });
});
