import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { sendContact, sendFeedback } from '#contract/contact.ts';
import { answerCalls, refusal } from '#testing/page/answers.ts';
import { showPage } from '#testing/page/show-page.tsx';
import { zoya } from '#testing/page/things.ts';

const contact = () => showPage({ page: () => import('#web/pages/contact.tsx'), address: '/Contact' });
const feedback = (lang: 'en' | 'hi' = 'en') =>
  showPage({ page: () => import('#web/pages/feedback.tsx'), address: '/Feedback', lang });
const message = () => screen.getByLabelText<HTMLTextAreaElement>('Message');
const slowDown = () => refusal(429, 'too_many_requests', 'Slow down.');

describe('/Contact (specification §5, §8)', () => {
  it('requires name, email and message', async () => {
    const { asked } = answerCalls();
    const { user } = await contact();
    await user.click(screen.getByRole('button', { name: 'Send message' }));
    await screen.findByText('Please fill in all required fields (Name, Email, Message).');
    expect(document.activeElement).toBe(screen.getByLabelText('Name'));
    expect(asked).toEqual([]);
  });

  it('keeps what was typed when the page is opened again', async () => {
    answerCalls();
    const first = await contact();
    await first.user.type(screen.getByLabelText('Name'), 'Ravi');
    await first.user.type(message(), 'Where is my reel?');
    first.unmount();
    await contact();
    await waitFor(() => expect(message().value).toBe('Where is my reel?'));
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Ravi');
  });

  it('keeps the message when it is lost or refused, and empties the form when it was sent', async () => {
    const server = answerCalls();
    server.on(sendContact, 'no answer', slowDown(), { message: 'Thanks' });
    const { user } = await contact();
    await user.type(screen.getByLabelText('Name'), 'Ravi');
    await user.type(screen.getByLabelText('Email'), 'ravi@people.example');
    await user.type(message(), 'Where is my reel?');
    const send = () => user.click(screen.getByRole('button', { name: 'Send message' }));
    await send();
    await screen.findByText('Server error. Please try again later.');
    await send();
    await screen.findByText('Failed to send: Slow down.');
    expect(message().value).toBe('Where is my reel?');
    await send();
    await screen.findByText('Message sent successfully!');
    await waitFor(() => expect(message().value).toBe(''));
    expect(server.askedOf(sendContact).map(({ body }) => body)).toEqual(
      Array(3).fill({
        userId: null,
        name: 'Ravi',
        email: 'ravi@people.example',
        phone: '',
        text: 'Where is my reel?',
      }),
    );
  });

  it('fills in and locks name and email of a signed-in person', async () => {
    answerCalls();
    await showPage({ page: () => import('#web/pages/contact.tsx'), address: '/Contact', person: zoya });
    const [name, email] = [
      screen.getByLabelText<HTMLInputElement>('Name'),
      screen.getByLabelText<HTMLInputElement>('Email'),
    ];
    await waitFor(() => expect([name.value, email.value]).toEqual([zoya.name, zoya.email]));
    expect([name.readOnly, email.readOnly]).toEqual([true, true]);
  });
});

describe('/Feedback', () => {
  it('requires some words, and shows why the server refused them', async () => {
    const server = answerCalls();
    server.on(sendFeedback, slowDown(), { message: 'Thanks' });
    const { user } = await feedback();
    const send = () => user.click(screen.getByRole('button', { name: 'Send feedback' }));
    await send();
    await screen.findByText('Please write some feedback before submitting!');
    expect(server.asked).toEqual([]);
    await user.type(screen.getByLabelText('Your feedback'), 'More kites');
    await send();
    await screen.findByText('Failed to send feedback: Slow down.');
    await send();
    await screen.findByText('Feedback submitted successfully!');
    expect(server.askedOf(sendFeedback).map(({ body }) => body)).toEqual(
      Array(2).fill({ name: '', text: 'More kites' }),
    );
  });

  const said = 'The server says it so.';
  it.each([
    ['en', said, refusal(429, 'newer', said, { params: {} })],
    ['hi', said, refusal(429, 'newer', said, { params: {} })],
    [
      'hi',
      'बहुत बार कोशिश हुई। कृपया 7 सेकंड रुककर फिर कोशिश करें।',
      refusal(429, 'too_many_requests', said, { params: { what: 'seconds', seconds: 7 } }),
    ],
  ] as const)("gives the server's reason in %s: %s (decision 0031)", async (lang, words, answer) => {
    answerCalls().on(sendFeedback, answer);
    const { user } = await feedback(lang);
    await user.type(document.querySelector('textarea') as HTMLTextAreaElement, 'Good');
    await user.click(document.querySelector('form button[type=submit]') as HTMLButtonElement);
    await screen.findByText(new RegExp(words));
  });
});
