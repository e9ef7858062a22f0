import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isMuted, mutePerson, muteReel, mutes, muteWord, unmuteReel } from './mutes.ts';

const stored = new Map<string, string>();
const storage = {
  getItem: (name: string) => stored.get(name) ?? null,
  setItem: (name: string, value: string) => void stored.set(name, value),
};
beforeEach(() => {
  stored.clear();
  vi.stubGlobal('localStorage', storage);
});
afterEach(() => void vi.unstubAllGlobals());

const reel = (caption: string, more = {}) => ({ _id: 'reel', userId: 'asha', caption, ...more });
const muted = (caption: string, more = {}) => isMuted(reel(caption, more), mutes());

describe('what this device leaves out of ranked lists', () => {
  it('are reels and people', () => {
    muteReel('one');
    mutePerson({ _id: 'bela', username: 'bela' });
    expect(muted('')).toBe(false);
    expect(muted('', { _id: 'one' })).toBe(true);
    expect(muted('', { userId: 'bela' })).toBe(true);
    unmuteReel('one');
    expect(muted('', { _id: 'one' })).toBe(false);
  });

  it('are words of captions as a whole, in whatever case and script', () => {
    for (const word of ['Art', 'क्रिकेट', 'big match', '!!!']) muteWord(word);
    expect(muted('My ART, today')).toBe(true);
    expect(muted('The party')).toBe(false);
    expect(muted('आज का क्रिकेट मैच')).toBe(true);
    expect(muted('A big, match')).toBe(true);
    expect(muted('A match')).toBe(false);
    expect(muted('!!!')).toBe(false);
  });

  it('are as many as the server takes, the newest', () => {
    for (let nth = 0; nth < 210; nth += 1) muteReel(`reel ${nth}`);
    for (let nth = 0; nth < 60; nth += 1) muteWord(`word ${nth}`);
    muteReel('reel 100');
    const { reels, words } = mutes();
    expect([reels.length, reels[0], reels.includes('reel 9')]).toEqual([200, 'reel 100', false]);
    expect([words.length, words[0]]).toEqual([50, 'word 59']);
  });

  it.each(['{', '[]', '"x"', '{"reels":[1],"people":[null,{"_id":"a"}],"words":{}}'])(
    'are none if the browser holds %s',
    (value) => {
      stored.set('muted', value);
      expect(mutes()).toEqual({ reels: [], people: [], words: [] });
    },
  );

  it('last as long as the page if storage is full', () => {
    const full = vi.fn(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    vi.stubGlobal('localStorage', { ...storage, setItem: full });
    muteReel('one');
    expect(muted('', { _id: 'one' })).toBe(true);
    expect(full).toHaveBeenCalled();
    vi.stubGlobal('localStorage', storage);
    unmuteReel('one');
    expect(mutes().reels).toEqual([]);
  });
});
