import { describe, expect, it } from 'vitest';
import { knownTotal } from './known-total.ts';

describe('coins and rupees in navigation state', () => {
  it('are read as numbers, whether they were passed as numbers or text', () => {
    expect(knownTotal({ coins: 4246, rupees: 8.49 })).toEqual({ coins: 4246, rupees: 8.49 });
    expect(knownTotal({ coins: '500', rupees: '1.00' })).toEqual({ coins: 500, rupees: 1 });
  });

  it.each([
    null,
    undefined,
    'coins',
    {},
    { coins: 5 },
    { coins: -1, rupees: 0 },
    { coins: 0.5, rupees: 1 },
    { coins: 'x', rupees: 1 },
  ])('%j is ignored', (state) => {
    expect(knownTotal(state)).toBeUndefined();
  });
});
