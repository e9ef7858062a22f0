import type { MessagePort } from 'node:worker_threads';
import { ApiError } from '#contract/api-error.ts';
import type { Caller } from '#contract/call.ts';
import { loadSite, type Rendered } from './page-renderer.ts';
import type { Replied, Task } from './page-threads.ts';

/*
 * What a thread that renders pages does (page-threads.ts).
 */
const site = loadSite();

export const languages = async () => (await site).languages;

export default async function render({ visit, port }: Task): Promise<Rendered> {
  return await (await site).render(visit, callerBy(port));
}

/** Has calls made by the thread that holds the other end. */
function callerBy(port: MessagePort): Caller {
  const waiting = new Map<number, PromiseWithResolvers<never>>();
  let calls = 0;
  port.on('message', ({ nth, ...reply }: Replied) => {
    const asked = waiting.get(nth);
    waiting.delete(nth);
    if ('result' in reply) asked?.resolve(reply.result as never);
    else if ('error' in reply) asked?.reject(reply.error);
    else {
      const { status, code, sentence, ...more } = reply.refused;
      asked?.reject(new ApiError(status, code, sentence, more));
    }
  });
  return ({ method, path }, ...[input]) => {
    const asked = Promise.withResolvers<never>();
    calls += 1;
    waiting.set(calls, asked);
    port.postMessage({ nth: calls, endpoint: { method, path }, input });
    return asked.promise;
  };
}
