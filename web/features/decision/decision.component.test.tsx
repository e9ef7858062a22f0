import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { appeal, type Decision } from '#contract/decisions.ts';
import { answerCalls, refusal } from '#testing/page/answers.ts';
import { showPage } from '#testing/page/show-page.tsx';

const id = '018f0000-0000-4000-8000-000000000001';
const decision = (change: Partial<Decision> = {}): Decision => ({
  ...{ _id: id, kind: 'post', words: 'Boats at noon', rule: 'spam', act: 'content', until: null },
  ...{ reason: 'It sells followers', decidedAt: '2026-11-10T06:00:00Z', endedAt: null },
  ...{ appealedAt: null, answer: null, answerReason: null, isAlone: false, grievanceEmail: '' },
  ...change,
});
const open = (loaded: Decision, lang: 'en' | 'hi' = 'en') =>
  showPage({
    ...{ page: () => import('#web/pages/report.tsx'), address: `/report/${id}` },
    ...{ pattern: '/report/:number', loaded, lang },
  });

describe('the page of a decision', () => {
  it('has the rule, what happened and the reason; an appeal is sent once, and what was typed stays if it fails', async () => {
    const server = answerCalls();
    const { user } = await open(decision());
    await screen.findByRole('heading', { level: 1, name: 'Your photo was taken down' });
    screen.getByText('Spam and deception');
    screen.getByText('It sells followers');
    const send = screen.getByRole('button', { name: 'Send the appeal' });
    await user.click(send);
    await screen.findByText('Please write why the decision is wrong.');
    expect(server.askedOf(appeal)).toEqual([]);
    await user.type(screen.getByLabelText('Why is it wrong?'), 'They are mine.');
    server.on(appeal, refusal(409, 'decision_over', 'It is over.'), {
      data: { appealedAt: '2026-11-10T07:00:00Z' },
    });
    await user.click(send);
    await screen.findByText('It is over.');
    await user.click(send);
    await screen.findByText(/^Your appeal was sent/);
    expect(server.askedOf(appeal).at(-1)?.body).toEqual({ text: 'They are mine.' });
    expect(screen.queryByRole('button', { name: 'Send the appeal' })).toBeNull();
  });

  it('that labelled a work says that it stays public', async () => {
    answerCalls();
    await open(decision({ act: 'label', rule: 'violence' }));
    await screen.findByRole('heading', { level: 1, name: 'A label was added to what you published' });
    screen.getByText('It stays public. All who see it read the label.');
  });

  it('of a site with one operator says so, and names the grievance officer, in Hindi too', async () => {
    answerCalls();
    const grievanceEmail = 'grievance@jhalak.example';
    await open(decision({ isAlone: true, grievanceEmail, kind: 'person', act: 'suspend' }), 'hi');
    await screen.findByRole('heading', { level: 1, name: 'आपका खाता निलंबित किया गया' });
    screen.getByText(/केवल एक इंसान काम करता है/);
    const link = screen.getByRole('link', { name: /grievance@jhalak.example/ });
    expect(link.getAttribute('href')).toBe(`mailto:${grievanceEmail}`);
  });

  it('that was reversed has the answer, and no form', async () => {
    answerCalls();
    const [appealedAt, endedAt] = ['2026-11-10T07:00:00Z', '2026-11-11T07:00:00Z'];
    const answered = { answer: 'reversed', answerReason: 'They are on the bill' } as const;
    await open(decision({ appealedAt, endedAt, ...answered }));
    await screen.findByText('They are on the bill');
    screen.getByText('This is not in force any more.');
    expect(screen.queryByRole('button', { name: 'Send the appeal' })).toBeNull();
  });
});
