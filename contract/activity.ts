import { z } from 'zod';
import { endpoint, ok } from './endpoint.ts';
import { id, time } from './fields.ts';
import { invalid } from './invalid.ts';
import { limits } from './limits.ts';

const tag = 'Activity';

/** Created by the app, so that an event sent twice counts once. */
const eventId = z.uuid({ error: invalid('event_id') });

const activityEvent = z.discriminatedUnion(
  'kind',
  [
    z.object({ id: eventId, kind: z.literal('scroll'), reelId: id }),
    z.object({
      id: eventId,
      kind: z.literal('active_hour'),
      /** Any time in the hour. */
      hour: z.iso.datetime({
        offset: true,
        error: invalid('event_hour'),
      }),
    }),
  ],
  { error: invalid('event') },
);
export type ActivityEvent = z.infer<typeof activityEvent>;

/** The result of one event: counted, or the reason why not. */
export const activityOutcome = z.enum(['counted', 'repeated', 'own', 'over_limit', 'unknown', 'implausible']);
export type ActivityOutcome = z.infer<typeof activityOutcome>;

const activityMonth = z.object({
  userId: id,
  month: z.string(),
  monthLabel: z.string(),
  scrolls: z.int(),
  reelLikes: z.int(),
  photoLikes: z.int(),
  activeHours: z.int(),
  coins: z.int(),
  coinsPerRupee: z.int(),
  paise: z.int(),
  rupees: z.string(),
  asOf: time,
});

export const saveActivity = endpoint({
  method: 'POST',
  path: '/api/activity/save',
  summary:
    'Report activity in the app: reels scrolled and active hours; an event that is sent again counts once',
  tag,
  access: 'person',
  limit: { perPerson: 240 },
  body: z.object({
    userId: id.optional(),
    events: z
      .array(activityEvent, { error: invalid('events') })
      .min(1, { error: invalid('events_none') })
      .max(limits.activityBatch, { error: invalid('events_many', { most: limits.activityBatch }) }),
  }),
  response: ok({ data: z.array(z.object({ id: z.string(), outcome: activityOutcome })) }),
  errors: ['not_yours'],
});

export const getActivity = endpoint({
  method: 'GET',
  path: '/api/user-earnings/activity/:userId',
  summary: "This month's activity in the app and what it is worth",
  tag,
  access: 'person',
  limit: { perPerson: 240 },
  params: z.object({ userId: id }),
  response: ok({ data: activityMonth }),
  errors: ['not_yours'],
});
