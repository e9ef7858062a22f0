import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keptList } from './features/lists/kept-list.ts';
import { listedPerson } from './features/people/people-list.ts';
import { forgetKept, keep, readKept } from './kept.ts';

/** A browser's storage, as far as it is used. */
function storage() {
  const entries: Record<string, string> = {};
  return Object.defineProperties(entries, {
    getItem: { value: (key: string) => entries[key] ?? null },
    setItem: {
      value: (key: string, value: string) => {
        entries[key] = value;
      },
    },
    removeItem: {
      value: (key: string) => {
        delete entries[key];
      },
    },
  }) as unknown as Storage;
}

const shape = keptList(listedPerson);
const person = { _id: 'a', name: 'Asha', username: 'asha', profilePic: '', followerCount: 1, published: 2 };
const list = { items: [person], nextCursor: null };

beforeEach(() => {
  vi.stubGlobal('localStorage', storage());
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('a kept list', () => {
  it('is read as it was kept', () => {
    keep('people', list);
    expect(readKept('people', shape)).toEqual(list);
  });

  it.each([
    ['nothing', null],
    ['no JSON', '{"version":1,'],
    ['the bare list of the first site', JSON.stringify(list)],
    ['null', 'null'],
    ['a number', '7'],
    ['another version', JSON.stringify({ version: 99, value: list })],
    ['no items', JSON.stringify({ version: 1, value: {} })],
    ['items of another shape', JSON.stringify({ version: 1, value: { ...list, items: [{ id: 'a' }] } })],
    ['a hole among the items', JSON.stringify({ version: 1, value: { ...list, items: [person, null] } })],
  ])('is not there where storage holds %s', (_, text) => {
    if (text !== null) localStorage.setItem('jhalak.kept.people', text);
    expect(readKept('people', shape)).toBeUndefined();
  });

  it('is not there, and nothing breaks, where storage is forbidden', () => {
    const refuse = () => {
      throw new Error('forbidden');
    };
    vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse });
    keep('people', list);
    forgetKept('people');
    expect(readKept('people', shape)).toBeUndefined();
  });

  it('is forgotten by the beginning of its name', () => {
    keep('notifications.a', list);
    keep('people', list);
    forgetKept('notifications.');
    expect(readKept('notifications.a', shape)).toBeUndefined();
    expect(readKept('people', shape)).toEqual(list);
  });
});
