import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { listLog, type NamedAct, showAct } from '#contract/operators.ts';
import { refusal } from '#testing/page/answers.ts';
import { idOf, openConsole, operatorsServer } from '#testing/page/console.ts';

describe('the log', () => {
  const act: NamedAct = {
    ...{ _id: idOf(1), operatorId: idOf(6), operator: 'ravi', act: 'withdrawal.reject' },
    ...{ targetKind: 'withdrawal', targetId: idOf(2), createdAt: '2026-11-10T06:00:00Z' },
    ...{ details: { reason: 'Wrong account', paise: 12_350, odd: 3 }, thing: null },
  };

  it('asks by what is typed into its filters, once that is complete', async () => {
    const server = operatorsServer();
    server.on(listLog, { data: [act], nextCursor: null });
    const { user } = await openConsole('?part=log&act=withdrawal.reject');
    await screen.findByText('Wrong account');
    expect(server.askedOf(listLog).at(-1)?.query).toEqual({ act: 'withdrawal.reject' });
    const before = server.askedOf(listLog).length;
    await user.type(screen.getByLabelText('Operator'), ' ravi');
    expect(server.askedOf(listLog)).toHaveLength(before);
    await user.keyboard('{Enter}');
    await waitFor(() =>
      expect(server.askedOf(listLog).at(-1)?.query).toEqual({ act: 'withdrawal.reject', operator: 'ravi' }),
    );
    const from = screen.getByLabelText('From');
    fireEvent.change(from, { target: { value: '2026-11-01' } });
    fireEvent.blur(from);
    await waitFor(() => expect(server.askedOf(listLog).at(-1)?.query).toMatchObject({ from: '2026-11-01' }));
    await user.clear(screen.getByLabelText('Operator'));
    await user.tab();
    await waitFor(() =>
      expect(server.askedOf(listLog).at(-1)?.query).toEqual({
        act: 'withdrawal.reject',
        from: '2026-11-01',
      }),
    );
  });

  it('shows an act with what the log says of it, and leads to others', async () => {
    const server = operatorsServer();
    server.on(listLog, { data: [act], nextCursor: null });
    server.on(showAct, { data: { ...act, history: [act] } });
    const { user } = await openConsole('?part=log');
    await user.click(await screen.findByRole('link', { name: /rejected a withdrawal/ }));
    const shown = within(await screen.findByRole('article'));
    expect(shown.getByText('Amount').nextElementSibling?.textContent).toBe('₹123.50');
    expect(shown.getByText('odd').nextElementSibling?.textContent).toBe('3');
    await user.click(shown.getByRole('link', { name: 'All acts of ravi' }));
    await waitFor(() => expect(server.askedOf(listLog).at(-1)?.query).toEqual({ operator: 'ravi' }));
  });

  it('says in words what was done to which thing, by which rule, and for how long', async () => {
    const server = operatorsServer();
    const thing = { kind: 'person', words: 'Binod', owner: 'binod' } as const;
    const suspended: NamedAct = {
      ...{ ...act, act: 'person.suspend', targetKind: 'person', thing },
      details: { rule: 'spam', days: 7, reason: 'Sells followers' },
    };
    server.on(listLog, { data: [suspended], nextCursor: null });
    server.on(showAct, { data: { ...suspended, history: [] } });
    const { user } = await openConsole('?part=log');
    const row = await screen.findByRole('link', { name: /suspended the account/ });
    expect(row.textContent).toContain('Account of binod: Binod');
    expect(row.textContent).toContain('By the rule “Spam and deception” · for 7 days');
    await user.click(row);
    const shown = within(await screen.findByRole('article'));
    expect(shown.getByRole('link', { name: 'Account of binod: Binod' }).getAttribute('href')).toContain(
      'part=people',
    );
  });

  it('leads from a merge to the case into which it was merged, without ids', async () => {
    const server = operatorsServer();
    const merged: NamedAct = {
      ...{ ...act, act: 'report.merge', targetKind: 'report' },
      thing: { kind: 'post', words: 'Boats', owner: 'binod' },
      details: { about: `post:${idOf(3)}`, into: idOf(4), childCase: true, reason: 'One matter' },
    };
    server.on(listLog, { data: [merged], nextCursor: null });
    server.on(showAct, { data: { ...merged, history: [] } });
    const { user } = await openConsole('?part=log');
    await user.click(await screen.findByRole('link', { name: /merged the case/ }));
    const shown = within(await screen.findByRole('article'));
    expect(shown.getByRole('link', { name: 'Open that case' }).getAttribute('href')).toContain(idOf(4));
    expect(shown.queryByText(new RegExp(`${idOf(3)}|childCase`))).toBeNull();
  });

  it('says that nothing matches, and why it could not be read', async () => {
    const server = operatorsServer();
    server.on(listLog, refusal(404, 'not_found', 'There is no such person.'), { data: [], nextCursor: null });
    const { user } = await openConsole('?part=log&about=nobody');
    await screen.findByText('There is no such person.');
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText('No act of operators matches these filters.');
  });
});
