import * as contract from '#contract/imports.ts';
import type { Context } from '#server/platform/context.ts';
import { on, type Route } from '#server/platform/route.ts';
import { type ImportContext, importLink } from './imports.ts';
import { createTurns } from './turns.ts';
import { fetchForNobody, type WithoutLogin } from './without-login.ts';

type Given = Omit<ImportContext & WithoutLogin, keyof Context | 'turns'>;

export function importsRoutes(parts: Context, given: Given): Route[] {
  const context = { ...parts, ...given, turns: createTurns() };
  return [
    on(contract.downloadVideo, ({ caller, address, body }) =>
      caller ? importLink(context, caller.id, body.link) : fetchForNobody(context, address, body.link),
    ),
    on(contract.fetchInstagram, async ({ caller, body }) => {
      const { fileUrl } = await importLink(context, caller.id, body.url, 'instagram');
      return { success: true as const, videoUrl: fileUrl };
    }),
  ];
}
