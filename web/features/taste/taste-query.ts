import { queryOptions } from '@tanstack/react-query';
import { getTaste } from '#contract/taste.ts';
import { call } from '#web/api.ts';
import { currentToken } from '../session/session.ts';

/** What the server knows about the taste of the signed-in person. */
export const tasteQuery = () =>
  queryOptions({
    queryKey: ['taste', currentToken()],
    queryFn: ({ signal }) => call(getTaste, undefined, { signal }),
  });
