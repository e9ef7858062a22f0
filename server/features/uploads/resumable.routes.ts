import { finishUpload } from '#contract/uploads.ts';
import { on, type Route } from '#server/platform/route.ts';
import type { Resumable } from './resumable.ts';

export function resumableRoutes(resumable: Resumable): Route[] {
  return [on(finishUpload, ({ params, caller }) => resumable.finish(params.key, caller.id))];
}
