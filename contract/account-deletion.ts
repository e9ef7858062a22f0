import { z } from 'zod';
import { endpoint, ok } from './endpoint.ts';
import { id } from './fields.ts';

const tag = 'Accounts';

/** Counts of the content and coins that are deleted together with an account. */
const deletionPreview = z.object({
  username: z.string(),
  reels: z.int(),
  posts: z.int(),
  stories: z.int(),
  /** Comments and likes that the person gave to others. */
  comments: z.int(),
  likes: z.int(),
  followers: z.int(),
  following: z.int(),
  /** Coins of months that were never withdrawn; deleting the account loses them. */
  unpaidCoins: z.int(),
  /** While a withdrawal is pending the account cannot be deleted. */
  withdrawalPending: z.boolean(),
});
export type DeletionPreview = z.infer<typeof deletionPreview>;

export const previewDeletion = endpoint({
  method: 'GET',
  path: '/api/delete/:userId',
  summary: 'What is deleted together with your account; changes nothing',
  tag,
  access: 'person',
  limit: { perPerson: 240 },
  params: z.object({ userId: id }),
  response: ok({ data: deletionPreview }),
  errors: ['not_yours'],
});

export const deleteUser = endpoint({
  method: 'DELETE',
  path: '/api/delete/:userId',
  summary:
    'Delete your account with all your content and sessions, permanently; refused while a withdrawal is pending',
  tag,
  access: 'person',
  changesLists: true,
  limit: { perPerson: 20 },
  params: z.object({ userId: id }),
  response: ok({ message: z.string() }),
  errors: ['not_yours', 'withdrawal_pending', 'last_operator', 'confirmation_required', 'recently_changed'],
});
