import { describe, expect, it } from 'vitest';
import { newId } from './ids.ts';

describe('ids made by one process', () => {
  const at = new Date('2026-11-26T10:00:00.123Z');

  it('sort in the order in which they were made, also within one millisecond', () => {
    const ids = Array.from({ length: 5000 }, () => newId(at));
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('have the time that they are given, also after a later one', () => {
    newId(new Date(at.getTime() + 5));
    expect(newId(at).slice(0, 13)).toBe(newId(at).slice(0, 13));
    expect(Number.parseInt(newId(at).replace('-', '').slice(0, 12), 16)).toBe(at.getTime());
  });

  it('begin each millisecond at a random place', () => {
    const first = (milliseconds: number) => newId(new Date(at.getTime() + milliseconds)).slice(14);
    const starts = Array.from({ length: 100 }, (_, index) => first(1000 + index));
    expect(new Set(starts).size).toBe(100);
  });
});
