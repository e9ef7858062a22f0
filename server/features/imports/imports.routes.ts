import * as contract from '#contract/imports.ts';
import type { Context } from '#server/platform/context.ts';
import { on, type Route } from '#server/platform/route.ts';
import { type ImportContext, importLink } from './imports.ts';
import { createImportQueue } from './queue.ts';
import { importWithoutLogin, type WithoutLogin } from './without-login.ts';

type Given = Omit<ImportContext & WithoutLogin, keyof Context | 'queue'>;

export function importsRoutes(parts: Context, given: Given): Route[] {
  const context = { ...parts, ...given, queue: createImportQueue() };
  return [
    on(contract.downloadVideo, ({ caller, address, body }) =>
      caller ? importLink(context, caller.id, body.link) : importWithoutLogin(context, address, body.link),
    ),
    on(contract.fetchInstagram, async ({ caller, body }) => {
      const { fileUrl } = await importLink(context, caller.id, body.url, 'instagram');
      return { success: true as const, videoUrl: fileUrl };
    }),
  ];
}
