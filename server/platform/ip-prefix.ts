import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { networkBits } from '#contract/earning-rules.ts';

const bitsOfGroup = 16;
const groupsOfNetwork = networkBits / bitsOfGroup;

/**
 * The networks of an IP address that belong to one customer, largest first. An IPv4 address is its own network. A customer of a provider
 * may have an IPv6 /48; a household or a phone has a /64 and can use any address in it.
 */
export function ipPrefixesOf(address: string): string[] {
  if (!isIPv6(address)) return [address];
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return [parsed.toString()];
  const groups = parsed.parts.map((part) => part.toString(16));
  return [groups.slice(0, 3).join(':'), groups.slice(0, groupsOfNetwork).join(':')];
}

/** The smallest of these networks: a household, or one IPv4 address that many customers of a carrier may share. */
export function ipPrefixOf(address: string): string {
  return ipPrefixesOf(address).at(-1) ?? address;
}

/**
 * The network of a provider that contains an address, coarse enough to reveal little about a location: an IPv4 /16 or an IPv6 /32.
 * Undefined for an invalid address.
 */
export function providerNetworkOf(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return undefined;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return `${parsed.octets.slice(0, 2).join('.')}.0.0/16`;
  const [first = 0, second = 0] = parsed.parts;
  return `${first.toString(16)}:${second.toString(16)}::/32`;
}
