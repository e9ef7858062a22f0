import { z } from 'zod';
import { copyForReview } from './copies.ts';
import { endpoint, ok } from './endpoint.ts';
import { id } from './fields.ts';
import { loggedAct } from './operators.ts';

/** How many acts of operators on a work are shown, the newest. */
export const shownOfCopy = 24;

export const showCopy = endpoint({
  method: 'GET',
  path: '/api/operator/copies/:id',
  summary: 'A work that was detected as a copy, with the earlier one, and what operators did with it',
  tag: 'Operators',
  access: 'operator',
  role: 'moderator',
  limit: { perPerson: 600 },
  params: z.object({ id }),
  response: ok({
    data: copyForReview.extend({
      /** The newest acts on it. */
      history: z.array(loggedAct),
    }),
  }),
  errors: ['not_found'],
});
export type CopyCase = z.output<typeof showCopy.response>['data'];

export const showCopyPicture = endpoint({
  method: 'GET',
  path: '/api/operator/copies/picture/:id/:work',
  summary:
    'The picture of a work that was detected as a copy, or of the earlier one, also while it is hidden from everybody; of what was taken down as showing a child each is a look, which is logged',
  tag: 'Operators',
  access: 'operator',
  role: 'moderator',
  limit: { perPerson: 600 },
  params: z.object({ id, work: id }),
  response: { mediaType: 'application/octet-stream' },
  errors: ['not_found', 'not_allowed'],
});
