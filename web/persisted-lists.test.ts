import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { persistedPage } from './features/lists/persisted-page.ts';
import { persistedNotifications } from './features/notifications/shown-notification.ts';
import { listedPerson } from './features/people/people-list.ts';
import { persist, readPersisted, removePersisted } from './persisted-lists.ts';

/** The part of the browser's storage that the module uses. */
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

const schema = persistedPage(listedPerson);
const person = { _id: 'a', name: 'Asha', username: 'asha', profilePic: '', followerCount: 1, published: 2 };
const list = { items: [person], nextCursor: null };
const notification = {
  _id: 'n',
  kind: 'like_reel',
  title: 'binod liked your reel',
  username: 'binod',
  senderId: 'b',
  profileImage: '',
  aboutId: 'r',
  about: { picture: '/media/r/tile.webp', caption: 'Sunset' },
  comment: '',
  read: false,
  createdAt: '2026-11-03T06:30:00Z',
};

beforeEach(() => {
  vi.stubGlobal('localStorage', storage());
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('a persisted list', () => {
  it('is read as it was stored', () => {
    persist('people', list);
    expect(readPersisted('people', schema)).toEqual(list);
  });

  it.each([
    ['nothing', null],
    ['no JSON', '{"version":1,'],
    ['the bare list of the first site', JSON.stringify(list)],
    ['null', 'null'],
    ['a number', '7'],
    ['another version', JSON.stringify({ version: 99, value: list })],
    ['no items', JSON.stringify({ version: 1, value: {} })],
    ['items of another schema', JSON.stringify({ version: 1, value: { ...list, items: [{ id: 'a' }] } })],
    ['a hole among the items', JSON.stringify({ version: 1, value: { ...list, items: [person, null] } })],
  ])('is undefined when storage holds %s', (_, text) => {
    if (text !== null) localStorage.setItem('jhalak.kept.people', text);
    expect(readPersisted('people', schema)).toBeUndefined();
  });

  it('of notifications is read with and without what they are about, and not as it was before they had it', () => {
    const { about: _about, comment: _comment, ...older } = notification;
    const items = [notification, { ...notification, about: null }];
    persist('notifications.a', { items, nextCursor: null });
    expect(readPersisted('notifications.a', persistedNotifications)).toEqual({ items, nextCursor: null });
    persist('notifications.a', { items: [older], nextCursor: null });
    expect(readPersisted('notifications.a', persistedNotifications)).toBeUndefined();
  });

  it('is undefined, without an error, when storage is forbidden', () => {
    const refuse = () => {
      throw new Error('forbidden');
    };
    vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse });
    persist('people', list);
    removePersisted('people');
    expect(readPersisted('people', schema)).toBeUndefined();
  });

  it('is removed by a prefix of its name', () => {
    persist('notifications.a', list);
    persist('people', list);
    removePersisted('notifications.');
    expect(readPersisted('notifications.a', schema)).toBeUndefined();
    expect(readPersisted('people', schema)).toEqual(list);
  });
});
