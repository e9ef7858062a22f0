import { describe, expect, it } from 'vitest';
import { type Change, changed, one, type Several } from './several.ts';

const files = (...names: string[]) => names.map((name) => new File(['x'], name));
const having = (...changes: Change[]) => changes.reduce(changed, one);
const shownOf = ({ entries, shown }: Several) => entries.find(({ id }) => id === shown)?.given?.name;
const three: Change = { type: 'add', files: files('b', 'c') };

describe('several files to be published', () => {
  it('stand in the order they came in, with the words of the first shown', () => {
    const now = having(three);
    expect(now.entries.map(({ given }) => given?.name)).toEqual([undefined, 'b', 'c']);
    expect(now.shown).toBe(0);
  });

  it('show the words of the next one while one travels, and its own again where it comes back', () => {
    const sent = having(three, { type: 'hold', id: 0, holding: 'transfer' });
    expect(shownOf(sent)).toBe('b');
    const all = [1, 2].map((id): Change => ({ type: 'hold', id, holding: 'transfer' })).reduce(changed, sent);
    expect(all.shown).toBeUndefined();
    expect(shownOf(changed(all, { type: 'hold', id: 2, holding: 'file' }))).toBe('c');
  });

  it('leave whose words are being written alone when another one is published', () => {
    const now = having(three, { type: 'show', id: 2 }, { type: 'end', id: 1 });
    expect(now.entries.map(({ id }) => id)).toEqual([0, 2]);
    expect(now.shown).toBe(2);
  });

  it('end as one blank form', () => {
    const now = having(three, { type: 'end', id: 0 }, { type: 'end', id: 1 }, { type: 'end', id: 2 });
    expect(now).toMatchObject({ entries: [{ id: 3, given: undefined, holding: 'nothing' }], shown: 3 });
  });
});
