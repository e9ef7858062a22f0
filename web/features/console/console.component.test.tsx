import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  answerAppeal,
  closeCase,
  decideCases,
  enterOrder,
  type ListedCase,
  listCases,
  lookAtCase,
  mergeCases,
  noteOnCase,
  releaseCase,
  type ShownCase,
  showCase,
  takeUpCase,
  unmergeCase,
} from '#contract/cases.ts';
import { getFigures } from '#contract/figures.ts';
import { labelContent, type PersonForOperators, suspendPerson, takeDown } from '#contract/operators.ts';
import { type PersonCase, showPerson } from '#contract/person-case.ts';
import { approveProposal, listProposals, type Proposal } from '#contract/proposals.ts';
import { beginSecondFactor, finishSecondFactor, getSecondFactor } from '#contract/second-factor.ts';
import { getToday } from '#contract/today.ts';
import { answerCalls, refusal } from '#testing/page/answers.ts';
import { factor, idOf, openConsole, operatorsServer, press } from '#testing/page/console.ts';
import { targetOf } from '#web/features/console/target-of.ts';

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000 + 90_000).toISOString();
const someCase = (nth: number, more: Partial<ListedCase> = {}): ListedCase & { targetId: string } => ({
  ...{
    _id: idOf(nth),
    kind: 'post',
    about: 'post',
    targetId: idOf(nth),
    language: 'en',
    reasons: ['copied'],
    reports: 2,
  },
  ...{ owner: 'binod', words: `Boats ${nth}`, state: 'public', label: null, edits: 0 },
  ...{ openedAt: '2026-11-10T06:00:00Z', dueAt: inHours(5), takenUpAt: null, claim: null },
  ...{ closedAt: null, closedBy: null, mergedInto: null },
  ...more,
  targetId: more.targetId ?? idOf(nth),
});
const shown = (listed: ListedCase & { targetId: string }, more: Partial<ShownCase> = {}): ShownCase => ({
  ...listed,
  ...{
    ownerId: idOf(9),
    decision: null,
    merged: [],
    more: '',
    picture: `/api/operator/reports/evidence/${listed._id}/picture`,
    video: '',
    page: `/post/${listed.targetId}`,
  },
  reported: [
    {
      ...{ _id: idOf(8), reason: 'copied', text: 'I took it.', contact: 'meera@people.example' },
      ...{ reporter: '', reporterId: null, createdAt: '2026-11-10T06:00:00Z' },
    },
  ],
  history: [],
  ...more,
});
const claim = { by: 'zoya', mine: true, until: inHours(0.5) };

describe('the console', () => {
  it('does not exist without the operator role', async () => {
    const server = answerCalls();
    server.on(getSecondFactor, {
      ...factor,
      required: false,
      role: 'person',
      given: false,
      enrolledAt: null,
    });
    await openConsole();
    await screen.findByRole('heading', { name: 'Page not found' });
    expect(server.askedOf(getToday)).toEqual([]);
  });

  it('asks an operator for a code, if the session has given none', async () => {
    const server = answerCalls();
    server.on(getSecondFactor, { ...factor, given: false });
    await openConsole('?part=reports');
    await screen.findByLabelText('Code of the app, or a recovery code');
    expect(server.askedOf(listCases)).toEqual([]);
  });

  it('shows whoever sets the second factor up here the recovery codes before it opens', async () => {
    const server = answerCalls();
    server.on(getSecondFactor, { ...factor, given: false, enrolledAt: null });
    server.on(beginSecondFactor, { secret: 'ABCD', uri: 'otpauth://totp/x?secret=ABCD' });
    server.on(finishSecondFactor, { recoveryCodes: ['code-one', 'code-two'] });
    server.on(getToday, { data: [] });
    server.on(getFigures, { data: [], countedAt: null });
    const { user } = await openConsole();
    await user.type(await screen.findByLabelText('One-time code'), 'abcd{Enter}');
    server.on(getSecondFactor, factor);
    await user.type(await screen.findByLabelText('Six digits'), '123456{Enter}');
    await screen.findByText('code-one');
    await waitFor(() => expect(server.askedOf(getSecondFactor).length).toBeGreaterThan(1));
    screen.getByText('code-two');
    await user.click(screen.getByRole('button', { name: /stored/ }));
    await screen.findByText('Nothing waits.');
  });

  it('says what waits, with the way there or the command line', async () => {
    const server = operatorsServer();
    server.on(getToday, {
      data: [
        { what: 'backup', count: 0, at: null, hasDeadline: false },
        { what: 'reports', count: 1001, at: inHours(-3), hasDeadline: true },
        { what: 'withdrawals', count: 1, at: '2026-11-10T06:00:00Z', hasDeadline: false },
      ],
    });
    const { user } = await openConsole();
    const [backup, reports, withdrawals] = await screen.findAllByRole('listitem');
    expect(backup?.textContent).toContain('Never done');
    expect(reports?.textContent).toMatch(/1,001 cases to decide\+.*2 h late/);
    expect(withdrawals?.textContent).toMatch(/1 withdrawal to pay/);
    expect(backup?.textContent).toContain('npm run admin -- backup /backup/new');
    server.on(listCases, { data: [], nextCursor: null });
    await user.click(within(reports as HTMLElement).getByRole('link'));
    await screen.findByText('Nothing waits here.');
  });
});

it('the console shows an operator the parts that their role may read', async () => {
  const server = operatorsServer('payer');
  server.on(getToday, { data: [] });
  await openConsole('?part=reports');
  const parts = within(await screen.findByRole('navigation', { name: 'Parts of the console' }));
  expect(parts.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    ...['Today', 'For two', 'Withdrawals', 'Batches', 'Ledger', 'Audit', 'People', 'Log'],
  ]);
  expect(server.askedOf(listCases)).toEqual([]);
});

const binod: PersonForOperators = {
  ...{ _id: idOf(9), name: 'Binod', username: 'binod', email: '', role: 'person', childSafety: false },
  ...{ suspendedAt: null, reportsMutedUntil: null, reelCount: 0, postCount: 0 },
  createdAt: '2026-09-01T06:00:00Z',
};

describe('a proposal', () => {
  const proposal: Proposal = {
    ...{
      _id: idOf(1),
      act: 'suspend',
      userId: idOf(9),
      username: 'binod',
      caseId: idOf(4),
      rule: 'hate',
      month: null,
    },
    ...{ what: null, reason: 'Again', by: 'ravi', mine: false, hasApprover: true },
    ...{ proposedAt: '2026-11-10T06:00:00Z', until: '2026-11-17T06:00:00Z' },
  };

  const person: PersonCase = {
    ...binod,
    ...{ suspendedUntil: null, emailVerifiedAt: null, followerCount: 0 },
    ...{ reported: null, about: null, money: null },
    history: [
      {
        ...{ _id: idOf(5), operatorId: null, operator: 'ravi', act: 'proposal.suspend' },
        ...{ targetKind: 'person', targetId: idOf(9), createdAt: '2026-11-10T06:00:00Z' },
        details: { proposal: proposal._id, rule: 'hate', reason: 'A warning did not help.' },
      },
    ],
  };

  it('of another operator is approved or declined', async () => {
    const server = operatorsServer();
    server.on(listProposals, { data: [proposal] });
    server.on(showPerson, { data: person });
    server.on(approveProposal, { data: { _id: proposal._id } });
    const { user } = await openConsole(`?part=proposals&case=${proposal._id}`);
    expect((await screen.findByRole('link', { name: 'Open the case' })).getAttribute('href')).toContain(
      `?part=reports&case=${idOf(4)}`,
    );
    const history = within(await screen.findByRole('article'));
    await history.findByText('A warning did not help.');
    expect(history.getByRole('link', { name: 'Open the proposal' }).getAttribute('href')).toContain(
      `?part=proposals&case=${proposal._id}`,
    );
    await user.click(await screen.findByRole('button', { name: /^Approve/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Approve' }));
    await user.click(dialog.getByRole('button', { name: 'Approve' }));
    await waitFor(() => expect(server.askedOf(approveProposal)).toHaveLength(1));
  });

  it('of one’s own says who approves it, and where nobody else may', async () => {
    const server = operatorsServer();
    server.on(showPerson, { data: person });
    server.on(listProposals, { data: [{ ...proposal, mine: true, hasApprover: false }] });
    await openConsole(`?part=proposals&case=${proposal._id}`);
    await screen.findByText(/^No other operator may approve this yet/);
    expect(screen.queryByRole('button', { name: /^Approve/ })).toBeNull();
    screen.getByRole('button', { name: /^Decline/ });
  });
});

it('a case about what may show a child asks for its evidence only when the operator looks', async () => {
  const server = operatorsServer();
  const one = someCase(1, { reasons: ['child_safety'], words: '' });
  server.on(listCases, { data: [one], nextCursor: null });
  server.on(showCase, { data: shown(one, { picture: '', page: '' }) });
  const evidence = { words: 'Boats', more: '', picture: shown(one).picture, video: '', page: '' };
  server.on(lookAtCase, { data: evidence });
  const { user } = await openConsole(`?part=reports&case=${one._id}`);
  const look = await screen.findByRole('button', { name: 'Look' });
  screen.getByText('May show a child');
  expect([server.askedOf(lookAtCase).length, screen.queryByRole('img')]).toEqual([0, null]);
  await user.click(look);
  await screen.findByText('Boats');
  await screen.findByAltText('The reported picture, blurred');
  expect(server.askedOf(lookAtCase)).toHaveLength(1);
});

describe('the list of cases', () => {
  it('has its filters in the address, and asks by them', async () => {
    const server = operatorsServer();
    server.on(listCases, { data: [someCase(1)], nextCursor: null });
    const { user } = await openConsole('?part=reports&kind=post');
    await screen.findByText('Boats 1');
    expect(server.askedOf(listCases).at(-1)?.query).toEqual({ kind: 'post' });
    screen.getByText('5 h left');
    const named = (label: string) =>
      [...screen.getByLabelText<HTMLSelectElement>(label).options].map(({ text }) => text);
    await waitFor(() => expect(named('Kind')).toContain('Photo (12)'));
    expect(named('State')).toEqual(['Undecided (1,000+)', 'Claimed by me (0)', 'Muted (2)', 'Decided']);
    expect(named('Language')[0]).toBe('All');
    await user.selectOptions(screen.getByLabelText('State'), 'Decided');
    await waitFor(() =>
      expect(server.askedOf(listCases).at(-1)?.query).toEqual({ kind: 'post', state: 'decided' }),
    );
    // The counts are of undecided cases.
    expect(named('Kind')).toContain('Photo');
    await user.selectOptions(screen.getByLabelText('Kind'), 'All');
    await waitFor(() => expect(server.askedOf(listCases).at(-1)?.query).toEqual({ state: 'decided' }));
  });

  it('opens one after the other by J and K, with the picture veiled until U', async () => {
    const server = operatorsServer();
    const all = [someCase(1), someCase(2, { claim: { ...claim, by: 'ravi', mine: false } })];
    server.on(listCases, { data: all, nextCursor: null });
    server.on(showCase, ({ path }) => ({
      data: shown(all.find(({ _id }) => path.endsWith(_id)) ?? someCase(3)),
    }));
    await openConsole('?part=reports');
    await screen.findByText('Boats 1');
    press('j');
    const veiled = await screen.findByAltText('The reported picture, blurred');
    expect(veiled.className).toMatch(/blur.*grayscale/);
    press('u');
    expect((await screen.findByAltText('The reported picture')).className).not.toMatch(/blur|grayscale/);
    screen.getByText('Answer to: meera@people.example');
    const account = screen.getByRole('link', { name: "Open its owner's account and money" });
    expect(account.getAttribute('href')).toContain(`?part=people&case=${idOf(9)}`);
    press('j');
    await screen.findByAltText('The reported picture, blurred');
    expect(screen.getAllByText('ravi is working on it')).toHaveLength(2);
    // Another one's case can be read and noted on.
    expect(screen.queryByRole('button', { name: /^Take down/ })).toBeNull();
    screen.getByRole('button', { name: /^Add a note/ });
    press('k');
    await screen.findByRole('button', { name: /^Take down/ });
  });
});

it('an order of a court becomes a case, which opens; without an address of the site nothing is sent', async () => {
  const server = operatorsServer();
  const made = someCase(7, { reasons: ['order'] });
  server.on(listCases, { data: [], nextCursor: null });
  server.on(enterOrder, { data: { _id: made._id } });
  server.on(showCase, { data: shown(made) });
  const { user } = await openConsole('?part=reports&state=decided');
  await user.click(await screen.findByRole('button', { name: 'Enter an order' }));
  const form = within(await screen.findByRole('dialog', { name: 'Enter an order' }));
  expect(document.activeElement).toBe(form.getByLabelText('Who orders it'));
  await user.keyboard('Court of Pune{Tab}12/2026{Tab}https://elsewhere.example/boats{Tab}Remove it.');
  await user.keyboard('{Control>}{Enter}{/Control}');
  await form.findByText(/^This is no address/);
  expect(server.askedOf(enterOrder)).toEqual([]);
  const about = form.getByLabelText('What it is about');
  await user.clear(about);
  await user.type(about, `https://jhalak.example/videoplayer?list=home&reel=${idOf(3)}`);
  // Sent once, however often the keys are pressed.
  await user.keyboard('{Control>}{Enter>3/}{Enter}{/Control}');
  await screen.findByRole('heading', { name: 'Photo of binod' });
  expect(server.askedOf(enterOrder).map(({ body }) => body)).toEqual([
    { target: `reel:${idOf(3)}`, text: 'Court of Pune, 12/2026\n\nRemove it.' },
  ]);
  expect(screen.getByLabelText<HTMLSelectElement>('State').value).toBe('open');
});

it.each([
  [`/videoplayer?reel=${idOf(1)}`, `reel:${idOf(1)}`],
  [`/videoplayer?reel=${idOf(1)}#${idOf(2)}`, `comment:${idOf(2)}`],
  [`https://jhalak.example/embed/${idOf(1)}`, `reel:${idOf(1)}`],
  [` https://jhalak.example/post/${idOf(1)}?lang=hi `, `post:${idOf(1)}`],
  [`https://jhalak.example/user/${idOf(1)}`, `person:${idOf(1)}`],
  [`https://jhalak.example/Console?part=reports&state=decided&case=${idOf(1)}`, idOf(1)],
  [`https://jhalak.example/Console?part=people&case=${idOf(1)}`, undefined],
  [`story:${idOf(1)}`, `story:${idOf(1)}`],
  [`https://jhalak.example/story/${idOf(1)}`, undefined],
  ['', undefined],
])('the address %s names what an order is about: %s', (address, target) => {
  expect(targetOf(address)).toBe(target);
});

describe('many cases', () => {
  const boxes = () => screen.getAllByRole('checkbox', { name: 'Choose this case' });
  const chosen = () => boxes().map((box) => box.getAttribute('aria-checked') === 'true');
  const five = [1, 2, 3, 4, 5].map((nth) => someCase(nth, nth === 5 ? { kind: 'appeal' } : {}));

  it('are chosen one by one, as a range by Shift, or all of the page, without appeals', async () => {
    const server = operatorsServer();
    server.on(listCases, { data: five, nextCursor: null });
    const { user } = await openConsole('?part=reports');
    await screen.findByText('Boats 5');
    expect(chosen()).toEqual([false, false, false, false]);
    await user.click(boxes()[1] as HTMLElement);
    await user.keyboard('{Shift>}');
    await user.click(boxes()[3] as HTMLElement);
    await user.keyboard('{/Shift}');
    expect(chosen()).toEqual([false, true, true, true]);
    screen.getByText('3 cases are chosen');
    const all = screen.getByRole('checkbox', { name: 'Choose all on this page' });
    await user.click(all);
    expect(chosen()).toEqual([false, false, false, false]);
    await user.click(all);
    expect(chosen()).toEqual([true, true, true, true]);
  });

  it('are decided after a preview, which says of each why it cannot be', async () => {
    const server = operatorsServer();
    server.on(listCases, { data: five.slice(0, 3), nextCursor: null });
    const one = (nth: number, merged: string[] = []) => ({
      ...{ _id: idOf(nth), decided: true, refusal: null, merged },
    });
    const error = 'ravi is working on this case.';
    const refused = { code: 'case_claimed', error, params: { username: 'ravi' } };
    server.on(
      decideCases,
      { data: [one(1, [idOf(8)]), { _id: idOf(2), decided: false, refusal: refused, merged: [] }, one(3)] },
      { data: [one(1, [idOf(8)]), { _id: idOf(2), decided: false, refusal: refused, merged: [] }, one(3)] },
      refusal(503, 'unavailable', 'Try again in a moment.'),
      { data: [one(1), { _id: idOf(3), decided: false, refusal: null, merged: [] }] },
    );
    const { user } = await openConsole('?part=reports');
    await user.click(await screen.findByRole('checkbox', { name: 'Choose all on this page' }));
    await user.click(screen.getByRole('button', { name: 'Take down' }));
    const form = within(await screen.findByRole('dialog', { name: 'Take down' }));
    await user.selectOptions(form.getByLabelText('The broken rule'), 'Spam and deception');
    await user.type(form.getByLabelText(/^Reason/), 'Sells followers');
    await user.click(form.getByRole('button', { name: 'Show what would happen' }));
    await screen.findByText('2 of 3 cases would be decided:');
    screen.getByText(error);
    screen.getByText('With 1 thing of a case that is merged into it');
    await user.click(screen.getByRole('button', { name: 'Back' }));
    expect(form.getByLabelText<HTMLTextAreaElement>(/^Reason/).value).toBe('Sells followers');
    await user.click(form.getByRole('button', { name: 'Show what would happen' }));
    await screen.findByText('2 of 3 cases would be decided:');
    const said = { act: 'take-down', what: 'content', rule: 'spam', reason: 'Sells followers' };
    const ids = [1, 2, 3].map(idOf);
    expect(server.askedOf(decideCases).at(-1)?.body).toEqual({ ...said, ids, preview: true });
    await user.click(screen.getByRole('button', { name: 'Take down 3 things' }));
    await screen.findByText('Try again in a moment.');
    server.on(listCases, { data: [], nextCursor: null });
    await user.click(screen.getByRole('button', { name: 'Take down 3 things' }));
    await screen.findByText('1 of 2 were decided.');
    screen.getByText('It is hidden already: nothing changes.');
    expect(server.askedOf(decideCases).at(-1)?.body).toEqual({
      ...said,
      ids: [idOf(1), idOf(3)],
      preview: false,
      merged: [idOf(8)],
    });
    await user.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);
    await screen.findByText('Nothing waits here.');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('are merged into the one that stays', async () => {
    const server = operatorsServer();
    const merged = someCase(2, { mergedInto: idOf(1) });
    server.on(listCases, { data: five.slice(0, 2), nextCursor: null });
    server.on(mergeCases, { data: { _id: idOf(1), merged: [idOf(2)] } });
    server.on(showCase, ({ path }) => ({
      data: path.endsWith(idOf(2)) ? shown(merged) : shown(someCase(1), { merged: [merged] }),
    }));
    server.on(unmergeCase, { data: { _id: idOf(2) } });
    const { user } = await openConsole('?part=reports');
    await user.click(await screen.findByRole('checkbox', { name: 'Choose all on this page' }));
    await user.click(screen.getByRole('button', { name: 'Merge' }));
    const form = within(await screen.findByRole('dialog', { name: 'Merge' }));
    expect(form.getByLabelText<HTMLInputElement>('Photo of binod: Boats 1').checked).toBe(true);
    await user.type(form.getByLabelText(/^Reason/), 'One video');
    await user.click(form.getByRole('button', { name: 'Merge' }));
    await waitFor(() =>
      expect(server.askedOf(mergeCases)).toMatchObject([
        { path: expect.stringContaining(idOf(1)), body: { ids: [idOf(2)], reason: 'One video' } },
      ]),
    );
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    press('j');
    await user.click(
      within(await screen.findByRole('article')).getByRole('link', { name: 'Photo of binod' }),
    );
    await screen.findByText(/^This case is merged into another one/);
    press('g');
    await waitFor(() => expect(server.askedOf(unmergeCase)).toHaveLength(1));
  });
});

describe('keys', () => {
  it('move between rows by arrows, open one by Enter, and are listed by ?', async () => {
    const server = operatorsServer();
    server.on(listCases, { data: [someCase(1), someCase(2)], nextCursor: null });
    server.on(showCase, { data: shown(someCase(2)) });
    const { user } = await openConsole('?part=reports');
    const rows = await screen.findAllByRole('link', { name: /Boats/ });
    rows[0]?.focus();
    await user.keyboard('{ArrowDown}{ArrowDown}');
    expect(document.activeElement).toBe(rows[1]);
    await user.keyboard('{ArrowUp}{ArrowDown}{Enter}');
    await screen.findByRole('heading', { name: 'Photo of binod' });
    await user.keyboard('?');
    const list = within(await screen.findByRole('dialog', { name: 'Keys' }));
    list.getByText('Open the next row');
    // Within the dialog nothing else acts.
    await user.keyboard('n');
    expect(screen.queryByRole('dialog', { name: 'Add a note' })).toBeNull();
  });

  it('of one letter can be switched off on this device, and do nothing while one types', async () => {
    onTestFinished(() => localStorage.removeItem('consoleLettersOff'));
    const server = operatorsServer();
    server.on(listCases, { data: [someCase(1), someCase(2)], nextCursor: null });
    server.on(showCase, { data: shown(someCase(1)) });
    const { user } = await openConsole(`?part=reports&case=${idOf(1)}`);
    expect(
      (await screen.findByRole('button', { name: /^Take down/ })).getAttribute('aria-keyshortcuts'),
    ).toBe('t');
    fireEvent.keyDown(screen.getByLabelText('Kind'), { key: 'n' });
    expect(screen.queryByRole('dialog')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Keys' }));
    const list = within(await screen.findByRole('dialog', { name: 'Keys' }));
    await user.click(list.getByRole('checkbox'));
    expect(list.queryByText('Open the next row')).toBeNull();
    await user.click(list.getByRole('button', { name: 'Close' }));
    for (const key of ['n', 'j', 'u', '?']) press(key);
    expect(screen.queryByRole('dialog')).toBeNull();
    screen.getByAltText('The reported picture, blurred');
    expect(screen.getByRole('button', { name: /^Take down/ }).getAttribute('aria-keyshortcuts')).toBeNull();
    // Escape is no letter.
    press('Escape');
    await waitFor(() => expect(screen.queryByRole('article')).toBeNull());
    await user.click(screen.getByRole('button', { name: 'Keys' }));
    await user.click(screen.getByRole('checkbox', { name: /^Single letters/ }));
    expect(localStorage.getItem('consoleLettersOff')).toBeNull();
  });
});

describe('a case', () => {
  it('is released if its dialog is cancelled, unless it was claimed before', async () => {
    const server = operatorsServer();
    const [one, mine] = [someCase(1), someCase(2, { claim })];
    server.on(listCases, { data: [one, mine], nextCursor: null });
    server.on(showCase, ({ path }) => ({ data: shown(path.endsWith(one._id) ? one : mine) }));
    server.on(takeUpCase, { data: { _id: one._id, takenUpAt: one.openedAt, claim } });
    server.on(releaseCase, { data: { _id: one._id } });
    const { user } = await openConsole(`?part=reports&case=${one._id}`);
    const cancel = async () => {
      await user.click(await screen.findByRole('button', { name: /^Take down/ }));
      const dialog = within(await screen.findByRole('dialog', { name: 'Take down' }));
      await user.click(dialog.getByRole('button', { name: 'Close' }));
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    };
    await cancel();
    await waitFor(() => expect(server.askedOf(releaseCase)).toHaveLength(1));
    await user.click(await screen.findByRole('link', { name: /Boats 2/ }));
    await screen.findByRole('button', { name: /^Release/ });
    await cancel();
    expect(server.askedOf(takeUpCase)).toHaveLength(2);
    expect(server.askedOf(releaseCase)).toHaveLength(1);
  });

  it('with others says what is hidden together, and that an order came from an authority', async () => {
    const server = operatorsServer();
    const one = someCase(1);
    const merged = [
      someCase(2, { mergedInto: one._id }),
      someCase(3, { mergedInto: one._id, state: 'taken_down' }),
      someCase(4, { mergedInto: one._id, kind: 'person', about: 'person' }),
    ];
    server.on(listCases, { data: [one], nextCursor: null });
    const order = { _id: idOf(8), reason: 'order', text: 'High Court, W.P. 12/2026', contact: '' } as const;
    const reported = [{ ...order, reporter: '', reporterId: null, createdAt: one.openedAt }];
    server.on(showCase, { data: shown(one, { merged, reported }) });
    server.on(takeUpCase, { data: { _id: one._id, takenUpAt: one.openedAt, claim } });
    const { user } = await openConsole(`?part=reports&case=${one._id}`);
    await screen.findByText(/A court or an authority/);
    screen.getByText('High Court, W.P. 12/2026');
    await user.click(await screen.findByRole('button', { name: /^Take down/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Take down' }));
    dialog.getByText('2 things are hidden together:');
    expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Photo of binod: Boats 1',
      'Photo of binod: Boats 2',
    ]);
  });

  it('is claimed before it is decided, by a key; the next one opens then', async () => {
    const server = operatorsServer();
    const [one, two] = [someCase(1), someCase(2)];
    server.on(listCases, { data: [one, two], nextCursor: null });
    server.on(showCase, ({ path }) => ({ data: shown(path.endsWith(one._id) ? one : two) }));
    server.on(takeUpCase, { data: { _id: one._id, takenUpAt: one.openedAt, claim } });
    const { user } = await openConsole(`?part=reports&case=${one._id}`);
    await screen.findByRole('button', { name: /^Take down/ });
    press('t');
    const dialog = within(await screen.findByRole('dialog', { name: 'Take down' }));
    expect(server.askedOf(takeUpCase)).toHaveLength(1);
    await user.click(dialog.getByRole('button', { name: 'Take down' }));
    await dialog.findByText('Please write this first.');
    // Chosen at first, since somebody says that it is theirs: this rule never takes down the content.
    const rule = dialog.getByLabelText<HTMLSelectElement>('The broken rule');
    expect(rule.value).toBe('copied');
    expect(dialog.getByLabelText<HTMLInputElement>(/^Only this copy/).checked).toBe(true);
    expect(dialog.queryByLabelText(/^This content/)).toBeNull();
    await user.selectOptions(rule, 'Choose a rule');
    await user.type(dialog.getByLabelText(/^Reason/), 'It is a film of Mira.');
    await user.click(dialog.getByRole('button', { name: 'Take down' }));
    await dialog.findByText('Please choose the rule that is broken.');
    await user.selectOptions(rule, 'Privacy');
    dialog.getByText(/^Private data of others/);
    expect(dialog.getByLabelText<HTMLInputElement>(/^This content/).checked).toBe(true);
    await user.selectOptions(rule, "Somebody else's work");
    server.on(takeDown, refusal(503, 'month_settled', 'Try again in a moment.'), {
      data: { kind: 'post', _id: one.targetId, takenDown: 'x' },
    });
    await user.click(dialog.getByRole('button', { name: 'Take down' }));
    await dialog.findByText('Try again in a moment.');
    await user.click(dialog.getByRole('button', { name: 'Take down' }));
    await screen.findByRole('heading', { name: 'Photo of binod' });
    expect(server.askedOf(takeDown).at(-1)?.body).toEqual({
      target: one._id,
      what: 'copy',
      rule: 'copied',
      reason: 'It is a film of Mira.',
      merged: [],
    });
    await waitFor(() => expect(server.askedOf(showCase).at(-1)?.path).toContain(two._id));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('of a work that may stay ends in a label, by one of the rules that have one', async () => {
    const server = operatorsServer();
    const one = someCase(1, { reasons: ['violence'] });
    server.on(listCases, { data: [one], nextCursor: null });
    server.on(showCase, { data: shown(one) });
    server.on(takeUpCase, { data: { _id: one._id, takenUpAt: one.openedAt, claim } });
    server.on(labelContent, { data: { kind: 'post', _id: one.targetId, label: 'disturbing' } });
    const { user } = await openConsole(`?part=reports&case=${one._id}`);
    await screen.findByRole('button', { name: /^Label/ });
    press('l');
    const dialog = within(await screen.findByRole('dialog', { name: 'Label' }));
    const rules = dialog.getByLabelText<HTMLSelectElement>('The broken rule');
    expect([rules.value, ...[...rules.options].map(({ value }) => value)]).toEqual([
      'violence',
      ...['', 'violence', 'altered'],
    ]);
    await user.type(dialog.getByLabelText(/^Reason/), 'A fight');
    await user.click(dialog.getByRole('button', { name: 'Label' }));
    await waitFor(() =>
      expect(server.askedOf(labelContent).at(-1)?.body).toEqual({
        ...{ target: one._id, rule: 'violence', reason: 'A fight', merged: [] },
      }),
    );
  });

  it('about an account ends in a suspension by a rule, for days or without an end', async () => {
    const server = operatorsServer();
    const one = someCase(1, { kind: 'person', reasons: ['other'] });
    server.on(listCases, { data: [one], nextCursor: null });
    server.on(showCase, { data: shown(one) });
    server.on(takeUpCase, { data: { _id: one._id, takenUpAt: one.openedAt, claim } });
    server.on(suspendPerson, refusal(409, 'is_operator', 'Take that role away first.'));
    const { user } = await openConsole(`?part=reports&case=${one._id}`);
    await user.click(await screen.findByRole('button', { name: /^Suspend/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Suspend' }));
    await user.selectOptions(dialog.getByLabelText('The broken rule'), 'Impersonation');
    await user.type(dialog.getByLabelText(/^Reason/), 'It is not the bank.');
    const suspend = dialog.getByRole('button', { name: 'Suspend' });
    const said = { rule: 'impersonation', reason: 'It is not the bank.' };
    await user.click(dialog.getByLabelText('30 days'));
    await user.click(suspend);
    await dialog.findByText('Take that role away first.');
    expect(server.askedOf(suspendPerson).at(-1)?.body).toEqual({ ...said, days: 30 });
    server.on(suspendPerson, { data: binod, proposal: idOf(6) });
    await user.click(dialog.getByLabelText('Without an end'));
    await user.click(suspend);
    await waitFor(() => expect(server.askedOf(suspendPerson).at(-1)?.body).toEqual(said));
    await screen.findByText(/^Proposed, not done yet: Suspend/);
  });

  it('of an appeal shows what was decided and by whom, with the way there, and is answered with a reason', async () => {
    const server = operatorsServer();
    const one = someCase(1, { kind: 'appeal', reasons: ['appeal'], state: 'taken_down' });
    const decision: ShownCase['decision'] = {
      ...{ rule: 'spam', act: 'content', until: null, reason: 'It sells followers', by: 'ravi' },
      ...{ decidedAt: '2026-11-09T06:00:00Z', endedAt: null, caseId: idOf(2), appealId: one._id },
      ...{ answer: null, answerReason: null },
    };
    server.on(listCases, { data: [one], nextCursor: null });
    server.on(showCase, { data: shown(one, { decision }) });
    server.on(takeUpCase, { data: { _id: one._id, takenUpAt: one.openedAt, claim } });
    server.on(answerAppeal, { data: { _id: one._id, answer: 'reversed' } });
    const { user } = await openConsole(`?part=reports&kind=appeal&case=${one._id}`);
    await screen.findByRole('heading', { name: 'Appeal: Photo of binod' });
    screen.getByText('It sells followers');
    const link = screen.getByRole('link', { name: 'Open the case that was decided' });
    expect(link.getAttribute('href')).toContain(`case=${idOf(2)}`);
    expect(screen.queryByRole('button', { name: /^(Take down|Nothing to do|Restore)/ })).toBeNull();
    press('v');
    const dialog = within(await screen.findByRole('dialog', { name: 'Reverse' }));
    await user.type(dialog.getByLabelText(/^Reason/), 'They are theirs.');
    await user.click(dialog.getByRole('button', { name: 'Reverse' }));
    await waitFor(() =>
      expect(server.askedOf(answerAppeal).at(-1)?.body).toEqual({
        answer: 'reversed',
        reason: 'They are theirs.',
      }),
    );
  });

  it('that another operator has claimed in the meantime is not decided: it says who works on it', async () => {
    const server = operatorsServer();
    server.on(listCases, { data: [someCase(1)], nextCursor: null });
    server.on(
      showCase,
      { data: shown(someCase(1)) },
      { data: shown(someCase(1, { claim: { ...claim, by: 'ravi', mine: false } })) },
    );
    server.on(
      takeUpCase,
      refusal(409, 'case_claimed', 'ravi is working on this case.', { params: { username: 'ravi' } }),
    );
    const { user } = await openConsole(`?part=reports&case=${idOf(1)}`);
    await user.click(await screen.findByRole('button', { name: /^Nothing to do/ }));
    await screen.findByText('ravi is working on this case.');
    expect(screen.queryByRole('dialog')).toBeNull();
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Nothing to do/ })).toBeNull());
    expect(server.askedOf(closeCase)).toEqual([]);
  });

  it('has notes, in Hindi too', async () => {
    const server = operatorsServer();
    server.on(listCases, { data: [someCase(1)], nextCursor: null });
    const acted = {
      ...{ _id: idOf(7), operatorId: idOf(6), operator: 'ravi', act: 'report.note' },
      ...{
        targetKind: 'report',
        targetId: idOf(1),
        details: { text: 'पहले भी देखा' },
        createdAt: '2026-11-10T06:00:00Z',
      },
    };
    server.on(showCase, { data: shown(someCase(1)) }, { data: shown(someCase(1), { history: [acted] }) });
    server.on(noteOnCase, { data: { _id: idOf(1) } });
    const { user } = await openConsole(`?part=reports&case=${idOf(1)}`, 'hi');
    await screen.findByRole('button', { name: /^नोट जोड़ें/ });
    press('n');
    const dialog = within(await screen.findByRole('dialog', { name: 'नोट जोड़ें' }));
    await user.type(dialog.getByLabelText(/^नोट/), 'पहले भी देखा');
    await user.click(dialog.getByRole('button', { name: 'नोट जोड़ें' }));
    await screen.findByText('पहले भी देखा');
    expect(server.askedOf(noteOnCase).at(-1)?.body).toEqual({ text: 'पहले भी देखा' });
    screen.getByText(/नोट लिखा/);
  });
});
