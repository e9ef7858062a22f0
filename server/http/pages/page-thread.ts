import type { MessagePort } from 'node:worker_threads';
import { ApiError } from '#contract/api-error.ts';
import type { CallEndpoint } from '#contract/call.ts';
import { loadSite, type Rendered } from './page-renderer.ts';
import type { LoaderReply, SiteFacts, Task } from './page-threads.ts';

/* The code of a worker thread that renders pages (page-threads.ts starts it). */
const site = loadSite();

export const facts = async (): Promise<SiteFacts> => {
  const { languages, paths } = await site;
  return { languages, paths };
};

export default async function render({ visit, port }: Task): Promise<Rendered> {
  return await (await site).render(visit, callOver(port));
}

/** Sends the calls of loaders through `port` to the main thread, which makes them. */
function callOver(port: MessagePort): CallEndpoint {
  const waiting = new Map<number, PromiseWithResolvers<never>>();
  let calls = 0;
  port.on('message', ({ nth, ...reply }: LoaderReply) => {
    const pending = waiting.get(nth);
    waiting.delete(nth);
    if ('result' in reply) pending?.resolve(reply.result as never);
    else if ('error' in reply) pending?.reject(reply.error);
    else {
      const { status, code, sentence, ...more } = reply.refused;
      pending?.reject(new ApiError(status, code, sentence, more));
    }
  });
  return ({ method, path }, ...[input]) => {
    const pending = Promise.withResolvers<never>();
    calls += 1;
    waiting.set(calls, pending);
    port.postMessage({ nth: calls, endpoint: { method, path }, input });
    return pending.promise;
  };
}
