import { waitFor } from '@testing-library/react';
import { expect, it, onTestFinished } from 'vitest';
import { logOut } from '#contract/accounts.ts';
import type { AnswerOf } from '#contract/endpoint.ts';
import { answerCalls } from '#testing/page/answers.ts';
import { zoya } from '#testing/page/things.ts';
import { takeStoredSession } from '../session/session.ts';
import { logOutEverywhere, logOutHere } from './log-out.ts';

function logIn(): void {
  localStorage.setItem('user', JSON.stringify(zoya));
  localStorage.setItem('authToken', 'a token');
  takeStoredSession();
  onTestFinished(() => {
    localStorage.clear();
    takeStoredSession();
  });
}
const storedKeys = () => ['user', 'authToken'].filter((key) => localStorage.getItem(key) !== null);

it('a logout takes effect on the device before the server answers', async () => {
  const server = answerCalls();
  const answer = Promise.withResolvers<AnswerOf<typeof logOut>>();
  server.on(logOut, () => answer.promise);
  logIn();
  const leaving = logOutHere();
  expect(storedKeys()).toEqual([]);
  await waitFor(() => expect(server.askedOf(logOut)).toHaveLength(1));
  answer.resolve({});
  expect(await leaving).toBe('/LoginGoogle');
  expect(storedKeys()).toEqual([]);
});

it('a logout everywhere that the server did not do leaves the session', async () => {
  answerCalls().on(logOut, 'no answer');
  logIn();
  await expect(logOutEverywhere()).rejects.toThrow();
  expect(storedKeys()).toEqual(['user', 'authToken']);
});
