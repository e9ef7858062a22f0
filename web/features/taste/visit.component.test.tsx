import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { getTaste, saveWatched } from '#contract/taste.ts';
import { answerCalls, refusal } from '#testing/page/answers.ts';
import { reel, zoya } from '#testing/page/things.ts';
import { queryClient } from '#web/query-client.ts';
import { takeStoredSession } from '../session/session.ts';
import { tasteQuery } from './taste-query.ts';
import { forgetVisit, noteWatched, visited } from './visit.ts';

const id = (nth: number) => reel(nth, '')._id;
const taste = (since: string | null) => ({ since, categories: [], watched: [], count: 0 });
const on = taste('2026-11-03T06:30:00Z');

function logIn(): void {
  localStorage.setItem('user', JSON.stringify(zoya));
  localStorage.setItem('authToken', 'token of zoya');
  takeStoredSession();
}

function hidePage(): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
}

beforeEach(() => {
  onTestFinished(() => {
    vi.restoreAllMocks();
    forgetVisit();
    localStorage.clear();
    sessionStorage.clear();
    queryClient().clear();
    takeStoredSession();
  });
});

describe('a visit', () => {
  it('knows what was watched in it, newest first, and what to its end', async () => {
    answerCalls();
    await noteWatched(id(1), false);
    await noteWatched(id(2), true);
    await noteWatched(id(1), true);
    await noteWatched(id(1), false);
    expect(visited()).toEqual([
      { _id: id(1), toEnd: true },
      { _id: id(2), toEnd: true },
    ]);
    forgetVisit(id(2));
    expect(visited()).toEqual([{ _id: id(1), toEnd: true }]);
    forgetVisit();
    expect(visited()).toEqual([]);
  });

  it('keeps the newest 50 in the tab', async () => {
    answerCalls();
    for (let nth = 0; nth < 60; nth += 1) await noteWatched(id(nth), false);
    expect(visited()).toHaveLength(50);
    expect(visited()[0]?._id).toBe(id(59));
    expect(JSON.parse(sessionStorage.getItem('visit') ?? '')).toEqual(visited());
  });

  it('lasts as long as the page if storage is full', async () => {
    answerCalls();
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    await noteWatched(id(1), true);
    expect(visited()).toEqual([{ _id: id(1), toEnd: true }]);
  });

  it.each(['{', '{}', '[null,1,{"_id":1}]'])('is empty if the browser holds %s', (value) => {
    sessionStorage.setItem('visit', value);
    expect(visited()).toEqual([]);
  });
});

describe('what was watched is sent', () => {
  it('of nobody who has not switched their taste on: not of a visitor, nor if that cannot be known', async () => {
    const server = answerCalls();
    for (let nth = 0; nth < 10; nth += 1) await noteWatched(id(nth), true);
    hidePage();
    expect(server.asked).toEqual([]);
    logIn();
    server.on(getTaste, refusal(400, 'invalid_input', 'no'), taste(null));
    for (let nth = 0; nth < 10; nth += 1) await noteWatched(id(nth), true);
    hidePage();
    expect(server.askedOf(saveWatched)).toEqual([]);
    expect(server.askedOf(getTaste)).toHaveLength(2);
  });

  it('in batches, and the rest when the page is left', async () => {
    const server = answerCalls();
    logIn();
    server.on(getTaste, on);
    server.on(saveWatched, { kept: true });
    const fetched = vi.spyOn(globalThis, 'fetch');
    for (let nth = 1; nth <= 7; nth += 1) await noteWatched(id(nth), nth % 2 === 0);
    const sent = () =>
      server.askedOf(saveWatched).map(({ body }) => (body as { watched: unknown[] }).watched);
    expect(sent().map((batch) => batch.length)).toEqual([6]);
    expect(sent()[0]?.slice(0, 2)).toEqual([
      { _id: id(6), toEnd: true },
      { _id: id(5), toEnd: false },
    ]);
    hidePage();
    await vi.waitFor(() => expect(sent()).toHaveLength(2));
    expect(sent()[1]).toEqual([{ _id: id(7), toEnd: false }]);
    expect(fetched.mock.lastCall?.[1]?.keepalive).toBe(true);
    hidePage();
    expect(sent()).toHaveLength(2);
  });

  it('again with the next ones if it failed, and not if it was forgotten meanwhile', async () => {
    const server = answerCalls();
    logIn();
    server.on(getTaste, on);
    server.on(saveWatched, 'no answer', { kept: true });
    await noteWatched(id(1), true);
    hidePage();
    await vi.waitFor(() => expect(server.askedOf(saveWatched)).toHaveLength(1));
    await noteWatched(id(2), true);
    forgetVisit(id(1));
    hidePage();
    await vi.waitFor(() => expect(server.askedOf(saveWatched)).toHaveLength(2));
    expect(server.askedOf(saveWatched)[1]?.body).toEqual({ watched: [{ _id: id(2), toEnd: true }] });
  });

  it('no longer once the server says that it was switched off elsewhere', async () => {
    const server = answerCalls();
    logIn();
    server.on(getTaste, on, taste(null));
    server.on(saveWatched, { kept: false });
    await noteWatched(id(1), true);
    hidePage();
    await vi.waitFor(() => expect(server.askedOf(saveWatched)).toHaveLength(1));
    const { queryKey } = tasteQuery();
    await vi.waitFor(() => expect(queryClient().getQueryState(queryKey)?.isInvalidated).toBe(true));
    await noteWatched(id(2), true);
    expect(server.askedOf(getTaste)).toHaveLength(2);
    hidePage();
    expect(server.askedOf(saveWatched)).toHaveLength(1);
  });
});
