import * as contract from '#contract/imports.ts';
import type { Clock } from '#server/platform/clock.ts';
import { on, type Route } from '#server/platform/route.ts';
import { type ImportParts, importLink } from './imports.ts';
import { createTurns } from './turns.ts';
import { fetchForNobody, type WithoutLogin } from './without-login.ts';

export function importsRoutes(clock: Clock, given: Omit<ImportParts, 'turns'> & WithoutLogin): Route[] {
  const parts = { ...given, turns: createTurns() };
  return [
    on(contract.downloadVideo, ({ caller, address, body }) =>
      caller ? importLink(parts, caller.id, body.link, clock()) : fetchForNobody(parts, address, body.link),
    ),
    on(contract.fetchInstagram, async ({ caller, body }) => {
      const { fileUrl } = await importLink(parts, caller.id, body.url, clock(), 'instagram');
      return { success: true as const, videoUrl: fileUrl };
    }),
  ];
}
