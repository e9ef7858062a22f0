import { skipToken, useQuery } from '@tanstack/react-query';
import { queryClient } from '#web/query-client.ts';
import type { OwnResponse } from '../interactions/controls.ts';

const keyOf = (id: string | undefined) => ['own response', id];

/** Nobody fetches it: presses and `ask…` write it. */
export const useOwnResponse = (id: string | undefined) =>
  useQuery<OwnResponse>({ queryKey: keyOf(id), queryFn: skipToken }).data;

export const responseTo = (id: string): OwnResponse => queryClient().getQueryData(keyOf(id)) ?? {};

export function changeResponse(id: string, change: OwnResponse): void {
  queryClient().setQueryData<OwnResponse>(keyOf(id), (before) => ({ ...before, ...change }));
}
