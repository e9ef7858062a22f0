import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { type ReportKind, report } from '#contract/reports.ts';
import { answerCalls, refusal } from '#testing/page/answers.ts';
import { showPage } from '#testing/page/show-page.tsx';
import { zoya } from '#testing/page/things.ts';
import { ReportButton } from './report-button.tsx';

const id = '018f0000-0000-7000-8002-000000000001';
const number = '0123456789abcdef0123456789abcdef';

/** A page with the button that reports something of another person. */
const page = (kind: ReportKind) => async () => ({
  default: () => <ReportButton kind={kind} id={id} ownerId="another" />,
});
const show = (kind: ReportKind, more: Partial<Parameters<typeof showPage>[0]> = {}) =>
  showPage({ page: page(kind), address: '/of-another', ...more });

describe('a report', () => {
  it('needs a reason, and is sent with the same number again if the answer was lost', async () => {
    const server = answerCalls();
    server.on(report, 'no answer', { message: 'Thanks', number });
    const { user } = await show('post');
    await user.click(screen.getByRole('button', { name: 'Report' }));
    const send = () => user.click(screen.getByRole('button', { name: 'Send report' }));
    await screen.findByText(/^Tell us what is wrong with this photo\./);
    await send();
    await screen.findByText('Please choose what is wrong.');
    expect(server.asked).toEqual([]);
    await user.click(screen.getByLabelText("Somebody else's work"));
    await user.type(screen.getByLabelText(/^Tell us more/), 'I took it in Munnar.');
    await user.type(screen.getByLabelText(/^How can we answer you/), 'meera@people.example');
    await send();
    await screen.findByRole('alert');
    await send();
    await screen.findByText('Thank you. We have your report.');
    expect(screen.getByRole('link', { name: 'Follow your report' }).getAttribute('href')).toBe(
      `/report/${number}`,
    );
    const [first, second] = server.askedOf(report).map(({ body }) => body);
    expect(first).toEqual({
      kind: 'post',
      id,
      reason: 'copied',
      text: 'I took it in Munnar.',
      contact: 'meera@people.example',
      number: expect.stringMatching(/^[\da-f]{32}$/),
    });
    expect(second).toEqual(first);
  });

  it.each([
    ['reel', /^Tell us what is wrong with this reel\./],
    ['story', /^Tell us what is wrong with this story\./],
    ['comment', /^Tell us what is wrong with this comment\./],
    ['person', /^Tell us what is wrong with this account\./],
  ] as const)('of a %s says so, and asks a signed-in person for no address', async (kind, lead) => {
    answerCalls();
    const { user } = await show(kind, { person: zoya });
    await user.click(screen.getByRole('button', { name: 'Report' }));
    await screen.findByText(lead);
    expect(screen.queryByLabelText(/^How can we answer you/)).toBeNull();
  });

  it('that is refused says why in Hindi, and loses nothing that was typed', async () => {
    const server = answerCalls();
    const params = { what: 'network_hours', most: 20, hours: 5 };
    server.on(report, refusal(429, 'too_many_requests', 'Too many.', { params }));
    const { user } = await show('post', { lang: 'hi' });
    const open = () => user.click(screen.getByRole('button', { name: 'शिकायत करें' }));
    await open();
    await user.click(await screen.findByLabelText('हिंसा या ख़तरा'));
    await user.type(screen.getByLabelText(/^और बताएँ/), 'यह मेरे शब्द हैं');
    await user.click(screen.getByRole('button', { name: 'शिकायत भेजें' }));
    await screen.findByText(/आपकी शिकायत नहीं भेजी जा सकी: .*20/);
    await user.click(screen.getByRole('button', { name: 'बंद करें' }));
    await waitFor(() => expect(screen.queryByLabelText(/^और बताएँ/)).toBeNull());
    await open();
    await waitFor(() =>
      expect(screen.getByLabelText<HTMLTextAreaElement>(/^और बताएँ/).value).toBe('यह मेरे शब्द हैं'),
    );
  });
});
