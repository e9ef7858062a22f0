import { expect, it } from 'vitest';
import { isOwnPath } from './way-back.tsx';

it.each(['/', '/EarningInfo', '/UserProfile?tab=stories#top'])('%s is a path of this site', (address) => {
  expect(isOwnPath(address)).toBe(true);
});

const elsewhere = ['https://evil.example/', '//evil.example/', '/\\evil.example', 'javascript:alert(1)'];

it.each([...elsewhere, 'About', ''])('“%s” leads elsewhere, or is no path', (address) => {
  expect(isOwnPath(address)).toBe(false);
});
