import ipaddr from 'ipaddr.js';

/**
 * Range of the public IPv6 internet. Addresses with an embedded IPv4 address (NAT64, v4-compatible) and site-local
 * ones are outside.
 */
const publicIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an IP address is public: not private, local, shared, reserved or translated. */
export function isPublicAddress(address: string): boolean {
  // An address with a zone is local to a link.
  if (address.includes('%') || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(publicIpv6);
}
