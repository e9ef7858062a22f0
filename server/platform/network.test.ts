import { expect, it } from 'vitest';
import { networkOf, networksOf } from './network.ts';

it('an address is its network, where addresses are anybody’s to choose', () => {
  expect(networkOf('2001:db8:0:1::5')).toBe(networkOf('2001:db8:0:1:ffff:1:2:3'));
  expect(networkOf('2001:db8:0:1::5')).not.toBe(networkOf('2001:db8:0:2::5'));
  expect(networkOf('2001:db8::1')).toBe(networkOf('2001:0db8:0000:0000:0:0:0:9'));
  expect(networkOf('::ffff:10.1.2.3')).toBe('10.1.2.3');
  expect(networkOf('::1')).toBe('0:0:0:0');
  expect(networkOf('fe80::1%eth0')).toBe(networkOf('fe80::2'));
});

it('an IPv6 address lies in the /48 of its owner and in the /64 of its household, an IPv4 address is its own network', () => {
  expect(networksOf('2001:db8:7:1::5')).toEqual(['2001:db8:7', '2001:db8:7:1']);
  expect(networksOf('2001:db8:7:2::5')[0]).toBe('2001:db8:7');
  expect(networksOf('10.1.2.3')).toEqual(['10.1.2.3']);
  expect(networksOf('::ffff:10.1.2.3')).toEqual(['10.1.2.3']);
  expect(networksOf('')).toEqual(['']);
});
