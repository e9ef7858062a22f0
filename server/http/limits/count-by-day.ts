import type { Endpoint } from '#contract/endpoint.ts';
import { dailyLimits } from '#contract/limits.ts';
import { type Counters, countNow } from '#server/platform/distributed-rate-limit.ts';
import { ipPrefixesOf } from '#server/platform/ip-prefix.ts';
import { Refusal } from '#server/platform/refusal.ts';
import type { Request, Route } from '#server/platform/route.ts';

const hour = 3_600_000;
const window = 24 * hour;

/**
 * The same routes; those with `perDay` refuse what is above it. They count here and not in a hook, so that forms which the server sends on
 * behalf of a page count too. Signed-in people count by themselves, so that they get through a network whose visitors have used its limit.
 */
export function withDailyLimits(routes: readonly Route[], counters: Counters): Route[] {
  return routes.map((route) => {
    const { perDay } = route.endpoint.limit;
    if (!perDay) return route;
    return {
      ...route,
      async handle(request) {
        const counter = counterFor(perDay, request);
        if (!counter) return await route.handle(request);
        const { current, endsIn } = await countNow(counters, counter.name, { window });
        if (current > counter.most) throw tooManyToday(counter, endsIn);
        try {
          return await route.handle(request);
        } catch (error) {
          // If this fails too, the first error says why.
          await countNow(counters, counter.name, { window, requests: -1 }).catch(() => undefined);
          throw error;
        }
      },
    };
  });
}

export interface DailyCounter {
  name: string;
  most: number;
  ofNetwork: boolean;
}

/** The counter of this client; undefined if clients of its kind have no limit. */
export function counterFor(
  kind: keyof typeof dailyLimits,
  { caller, address }: Pick<Request<Endpoint>, 'caller' | 'address'>,
): DailyCounter | undefined {
  const limit: { person?: number; network?: number } = dailyLimits[kind];
  const most = caller ? limit.person : limit.network;
  if (most === undefined) return undefined;
  return { name: `day ${kind} ${caller?.id ?? ipPrefixesOf(address)[0]}`, most, ofNetwork: !caller };
}

function tooManyToday({ most, ofNetwork }: DailyCounter, endsIn: number): Refusal {
  const hours = Math.ceil(endsIn / hour);
  const refusal =
    hours > 1
      ? new Refusal('too_many_requests', { what: ofNetwork ? 'network_hours' : 'day_hours', most, hours })
      : new Refusal('too_many_requests', { what: ofNetwork ? 'network_hour' : 'day_hour', most });
  refusal.retryAfter = Math.ceil(endsIn / 1000);
  return refusal;
}
