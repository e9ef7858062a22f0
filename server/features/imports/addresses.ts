import ipaddr from 'ipaddr.js';

/** Where the public IPv6 internet is; what is embedded elsewhere (NAT64, v4-compatible, site-local) is not it. */
const publicIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an IP address is a place on the public internet: nothing private, local, shared, reserved or translated. */
export function isPublicAddress(address: string): boolean {
  // A zone makes sense on a local link alone.
  if (address.includes('%') || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(publicIpv6);
}
