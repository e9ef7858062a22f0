import { queryOptions } from '@tanstack/react-query';
import { listPasskeys } from '#contract/passkeys.ts';
import { call } from '#web/api.ts';

/** The query for the passkeys of the signed-in person. */
export const passkeysQuery = (userId: string | undefined) =>
  queryOptions({
    queryKey: ['passkeys', userId],
    queryFn: async ({ signal }) => (await call(listPasskeys, undefined, { signal })).data,
  });
