import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * The networks that an address lies in, from the largest that is handed to one owner to the smallest. An IPv4 address is
 * one of its own. Whoever rents a server or a line may have a whole IPv6 /48, and a household or a phone has a /64, in which
 * an address is anybody's to choose.
 */
export function ipPrefixesOf(address: string): string[] {
  if (!isIPv6(address)) return [address];
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return [parsed.toString()];
  const groups = parsed.parts.map((part) => part.toString(16));
  return [groups.slice(0, 3).join(':'), groups.slice(0, 4).join(':')];
}

/** The smallest network of an address: of a household, or a carrier's address that many share. */
export function ipPrefixOf(address: string): string {
  return ipPrefixesOf(address).at(-1) ?? address;
}
