import ipaddr from 'ipaddr.js';
import { z } from 'zod';

const loopback = ['127.0.0.0/8', '::1/128'];
const example = '10.0.0.5 or 10.1.0.0/16,fd00::/64';

/** The proxies whose `X-Forwarded-*` is trusted, by address and not by their number: a number does not show who connects. */
export const trustedProxies = z.string().transform((value, context): string[] => {
  if (value === 'off') return [];
  if (value === 'on') return loopback;
  const networks = value.split(',').map((network) => network.trim());
  const wrong = networks.find((network) => !isAddress(network) && !isNetwork(network));
  if (wrong === undefined) return networks;
  const message = /^\d+$/.test(wrong)
    ? `a number of proxies is no longer taken; name their addresses or networks, such as ${example}, or say on for this machine's own`
    : `“${wrong}” is no address and no network; it must be on, off, or a list such as ${example}`;
  context.issues.push({ code: 'custom', message, input: value });
  return z.NEVER;
});

const isAddress = (text: string) => ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);

/** A prefix of no bits contains all addresses, so it cannot be a proxy's network. */
const isNetwork = (text: string) =>
  (ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text)) && !/\/0+$/.test(text);
