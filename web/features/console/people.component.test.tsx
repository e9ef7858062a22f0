import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { confirm } from '#contract/confirmation.ts';
import {
  findPeople,
  muteReports,
  type PersonForOperators,
  restorePerson,
  setRole,
  suspendPerson,
  unmuteReports,
} from '#contract/operators.ts';
import { listPasskeys } from '#contract/passkeys.ts';
import { makeResetLink, type PersonCase, showPerson } from '#contract/person-case.ts';
import { refusal } from '#testing/page/answers.ts';
import { idOf, openConsole, operatorsServer, press } from '#testing/page/console.ts';

const binod: PersonForOperators = {
  ...{ _id: idOf(9), name: 'Binod', username: 'binod', email: 'binod@people.example', role: 'person' },
  ...{
    suspendedAt: null,
    reportsMutedUntil: null,
    childSafety: false,
    reelCount: 12,
    postCount: 3,
    createdAt: '2026-09-01T06:00:00Z',
  },
};
const shown: PersonCase = {
  ...binod,
  ...{ emailVerifiedAt: null, followerCount: 1234, suspendedUntil: null },
  money: { destination: null, sharing: { count: 0, people: [] }, months: [], withdrawals: [] },
  reported: { count: 0, cases: [], dismissible: 0 },
  about: {
    count: 1001,
    cases: [
      {
        ...{ _id: idOf(1), kind: 'post', about: 'post', targetId: idOf(2), language: 'en' },
        ...{ reasons: ['spam'], reports: 2 },
        ...{
          owner: 'binod',
          words: 'Boats',
          state: 'public',
          label: null,
          edits: 0,
          openedAt: '2026-11-10T06:00:00Z',
        },
        ...{
          dueAt: '2026-11-17T06:00:00Z',
          takenUpAt: null,
          claim: null,
          closedAt: null,
          closedBy: null,
          mergedInto: null,
        },
      },
    ],
  },
  history: [],
};

describe('people', () => {
  it('are found by what is typed, and shown on one page', async () => {
    const server = operatorsServer();
    server.on(findPeople, { data: [binod], nextCursor: null });
    server.on(showPerson, { data: shown });
    const { user } = await openConsole('?part=people');
    await screen.findByText('binod@people.example');
    expect(server.askedOf(findPeople).at(-1)?.query).toEqual({});
    await user.type(screen.getByLabelText('Name, username, email or id'), 'binod{Enter}');
    await waitFor(() => expect(server.askedOf(findPeople).at(-1)?.query).toEqual({ q: 'binod' }));
    press('j');
    const page = within(await screen.findByRole('article'));
    expect(page.getByText('Followers').nextElementSibling?.textContent).toBe('1,234');
    page.getByText('1,000+');
    expect(page.getByRole('link', { name: 'Photo of binod' }).getAttribute('href')).toContain(
      `?part=reports&state=open&case=${idOf(1)}`,
    );
    expect(page.getByText('Reports by them').nextElementSibling?.textContent).toBe('None.');
  });

  it('are suspended by a rule with a reason, and restored', async () => {
    const server = operatorsServer();
    server.on(findPeople, { data: [binod], nextCursor: null });
    const suspended = { ...shown, suspendedAt: '2026-11-10T06:00:00Z' };
    server.on(showPerson, { data: shown }, { data: suspended });
    server.on(suspendPerson, { data: binod, proposal: null });
    server.on(restorePerson, { data: binod });
    const { user } = await openConsole(`?part=people&case=${binod._id}`);
    await user.click(await screen.findByRole('button', { name: /^Suspend/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Suspend' }));
    await user.selectOptions(dialog.getByLabelText('The broken rule'), 'Impersonation');
    await user.type(dialog.getByLabelText(/^Reason/), 'It is not the bank.');
    await user.click(dialog.getByLabelText('Without an end'));
    await user.click(dialog.getByRole('button', { name: 'Suspend' }));
    await user.click(await screen.findByRole('button', { name: /^Restore/ }));
    const said = { rule: 'impersonation', reason: 'It is not the bank.' };
    expect(server.askedOf(suspendPerson).at(-1)?.body).toEqual(said);
    expect(screen.queryByRole('button', { name: /^Make a reset link/ })).toBeNull();
    const restoring = within(await screen.findByRole('dialog', { name: 'Restore' }));
    await user.click(restoring.getByRole('button', { name: 'Restore' }));
    await waitFor(() => expect(server.askedOf(restorePerson)).toHaveLength(1));
  });

  it('get a link for a new password once a code has confirmed it', async () => {
    const server = operatorsServer();
    server.on(findPeople, { data: [binod], nextCursor: null });
    server.on(showPerson, { data: shown });
    const unconfirmed = refusal(403, 'confirmation_required', 'For your safety, log in again.');
    server.on(makeResetLink, unconfirmed, { link: '/ResetPassword#abc' });
    server.on(confirm, { confirmation: 'c'.repeat(43) });
    server.on(listPasskeys, { data: [] });
    const { user } = await openConsole(`?part=people&case=${binod._id}`);
    await user.click(await screen.findByRole('button', { name: /^Make a reset link/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Make a reset link' }));
    await user.click(dialog.getByRole('button', { name: 'Make a reset link' }));
    await user.type(await screen.findByLabelText(/^Code of the app/), '123456{Enter}');
    const link = await screen.findByLabelText<HTMLInputElement>('Link for a new password');
    expect(link.value).toBe(`${location.origin}/ResetPassword#abc`);
    expect(server.askedOf(confirm)[0]?.body).toEqual({
      act: 'make_reset_link',
      params: { id: binod._id },
      totp: '123456',
    });
  });

  it('have their reports muted for 7 or 30 days with a reason, until the mute is ended', async () => {
    const server = operatorsServer();
    server.on(findPeople, { data: [binod], nextCursor: null });
    const reportsMutedUntil = new Date(Date.now() + 3_600_000).toISOString();
    server.on(showPerson, { data: shown }, { data: { ...shown, reportsMutedUntil } });
    server.on(muteReports, { data: binod });
    server.on(unmuteReports, { data: binod });
    const { user } = await openConsole(`?part=people&case=${binod._id}`);
    await user.click(await screen.findByRole('button', { name: /^Mute reports/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Mute reports' }));
    await user.click(dialog.getByLabelText('30 days'));
    await user.type(dialog.getByLabelText(/^Reason/), 'Reports everything');
    await user.click(dialog.getByRole('button', { name: 'Mute reports' }));
    await user.click(await screen.findByRole('button', { name: /^End the mute/ }));
    expect(server.askedOf(muteReports).at(-1)?.body).toEqual({
      ...{ days: 30, reason: 'Reports everything', dismiss: false },
    });
    screen.getByText('Reports muted until');
    const ending = within(await screen.findByRole('dialog', { name: 'End the mute' }));
    await user.click(ending.getByRole('button', { name: 'End the mute' }));
    await waitFor(() => expect(server.askedOf(unmuteReports)).toHaveLength(1));
  });

  it('are shown to a payer with their money alone, and without acts', async () => {
    const server = operatorsServer('payer');
    server.on(findPeople, { data: [], nextCursor: null });
    server.on(showPerson, { data: { ...shown, about: null, reported: null } });
    await openConsole(`?part=people&q=nobody&case=${binod._id}`);
    const page = within(await screen.findByRole('article'));
    page.getByText('Months');
    expect(page.queryByText('Reports by them')).toBeNull();
    expect(page.queryAllByRole('button')).toEqual([]);
  });

  it('who flood the queue are muted, and what only they have reported is closed with it', async () => {
    const server = operatorsServer();
    server.on(findPeople, { data: [binod], nextCursor: null });
    server.on(showPerson, { data: { ...shown, reported: { count: 15, cases: [], dismissible: 12 } } });
    server.on(muteReports, { data: binod });
    const { user } = await openConsole(`?part=people&case=${binod._id}`);
    await user.click(await screen.findByRole('button', { name: /^Mute reports/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Mute reports' }));
    await user.click(
      dialog.getByLabelText('7 days, and close the 12 undecided cases that only they reported'),
    );
    await user.type(dialog.getByLabelText(/^Reason/), 'Reports everything{Control>}{Enter}{/Control}');
    await waitFor(() =>
      expect(server.askedOf(muteReports).at(-1)?.body).toEqual({
        ...{ days: 7, reason: 'Reports everything', dismiss: true },
      }),
    );
  });

  it('who are suspended for days can be suspended without an end', async () => {
    const server = operatorsServer();
    server.on(findPeople, { data: [binod], nextCursor: null });
    const [suspendedAt, suspendedUntil] = ['2026-11-10T06:00:00Z', '2026-11-17T06:00:00Z'];
    server.on(showPerson, { data: { ...shown, suspendedAt, suspendedUntil } });
    server.on(suspendPerson, { data: binod, proposal: idOf(3) });
    const { user } = await openConsole(`?part=people&case=${binod._id}`);
    await user.click(await screen.findByRole('button', { name: /^Suspend/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Suspend' }));
    expect(dialog.getAllByRole('radio')).toHaveLength(1);
    await user.selectOptions(dialog.getByLabelText('The broken rule'), 'Impersonation');
    await user.type(dialog.getByLabelText(/^Reason/), 'Again{Control>}{Enter}{/Control}');
    await waitFor(() =>
      expect(server.askedOf(suspendPerson).at(-1)?.body).toEqual({ rule: 'impersonation', reason: 'Again' }),
    );
  });

  it('get a role with the right to see children from an administrator, who hands on the code', async () => {
    const server = operatorsServer();
    server.on(findPeople, { data: [binod], nextCursor: null });
    server.on(showPerson, { data: shown });
    server.on(setRole, { data: binod, enrolment: 'abcd-efgh' });
    const { user } = await openConsole(`?part=people&case=${binod._id}`);
    await user.click(await screen.findByRole('button', { name: /^Change the role/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change the role' }));
    await user.click(dialog.getByLabelText('Moderator who also sees what may show a child'));
    await user.click(dialog.getByRole('button', { name: 'Change the role' }));
    const code = await screen.findByLabelText<HTMLInputElement>('Code for setting up the second factor');
    expect(code.value).toBe('abcd-efgh');
    expect(server.askedOf(setRole).at(-1)?.body).toEqual({ role: 'moderator', childSafety: true });
  });

  it('who are operators can only get another role', async () => {
    const server = operatorsServer();
    server.on(findPeople, { data: [], nextCursor: null });
    server.on(showPerson, { data: { ...shown, role: 'administrator' } });
    await openConsole(`?part=people&q=nobody&case=${binod._id}`);
    await screen.findByText('Nobody matches this.');
    const page = within(await screen.findByRole('article'));
    expect(page.queryAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Change the role/),
    ]);
  });
});
