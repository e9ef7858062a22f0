import { expect, it } from 'vitest';
import { ipPrefixesOf, ipPrefixOf } from './ip-prefix.ts';

it('the network of an IPv6 address is its /64, whose owner can use any address in it', () => {
  expect(ipPrefixOf('2001:db8:0:1::5')).toBe(ipPrefixOf('2001:db8:0:1:ffff:1:2:3'));
  expect(ipPrefixOf('2001:db8:0:1::5')).not.toBe(ipPrefixOf('2001:db8:0:2::5'));
  expect(ipPrefixOf('2001:db8::1')).toBe(ipPrefixOf('2001:0db8:0000:0000:0:0:0:9'));
  expect(ipPrefixOf('::ffff:10.1.2.3')).toBe('10.1.2.3');
  expect(ipPrefixOf('::1')).toBe('0:0:0:0');
  expect(ipPrefixOf('fe80::1%eth0')).toBe(ipPrefixOf('fe80::2'));
});

it('an IPv6 address is in the /48 of its owner and the /64 of its household; an IPv4 address is its own network', () => {
  expect(ipPrefixesOf('2001:db8:7:1::5')).toEqual(['2001:db8:7', '2001:db8:7:1']);
  expect(ipPrefixesOf('2001:db8:7:2::5')[0]).toBe('2001:db8:7');
  expect(ipPrefixesOf('10.1.2.3')).toEqual(['10.1.2.3']);
  expect(ipPrefixesOf('::ffff:10.1.2.3')).toEqual(['10.1.2.3']);
  expect(ipPrefixesOf('')).toEqual(['']);
});
