import { expect, it } from 'vitest';
import { networkOf } from './network.ts';

it('an address is its network, where addresses are anybody’s to choose', () => {
  expect(networkOf('2001:db8:0:1::5')).toBe(networkOf('2001:db8:0:1:ffff:1:2:3'));
  expect(networkOf('2001:db8:0:1::5')).not.toBe(networkOf('2001:db8:0:2::5'));
  expect(networkOf('2001:db8::1')).toBe(networkOf('2001:0db8:0000:0000:0:0:0:9'));
  expect(networkOf('::ffff:10.1.2.3')).toBe('10.1.2.3');
  expect(networkOf('::1')).toBe('0:0:0:0');
  expect(networkOf('fe80::1%eth0')).toBe(networkOf('fe80::2'));
});
