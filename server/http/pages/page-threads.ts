import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { FastifyBaseLogger } from 'fastify';
import { Piscina } from 'piscina';
import { type ApiError, isApiError } from '#contract/api-error.ts';
import type { CallEndpoint } from '#contract/call.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Rendered, Site, Visit } from './page-renderer.ts';

/** Number of worker threads; each renders one page at a time. While one waits for its calls another can use the processor. */
export const pageThreads = Math.min(4, Math.max(2, availableParallelism()));
/** Memory limits per thread. A page needs a few megabytes, and a small young generation frees them soon. */
const memory = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 128 };

/** One page to render; the thread makes the calls of its loaders through `port`. */
export interface Task {
  visit: Visit;
  port: MessagePort;
}

export type SiteFacts = Pick<Site, 'languages' | 'paths'>;

/** A call that a loader makes, sent from the worker to the main thread. */
export interface LoaderCall {
  nth: number;
  endpoint: Pick<Endpoint, 'method' | 'path'>;
  input: unknown;
}
export type LoaderReply = { nth: number } & (
  | { result: unknown }
  | { refused: Pick<ApiError, 'status' | 'code' | 'sentence' | 'field' | 'params' | 'fields'> }
  | { error: Error }
);

/**
 * The site built by `npm run build`, rendered on worker threads (docs/decisions/0035-pages-on-threads.md), so that API requests do not wait
 * for a page. Calls of loaders run on this thread, like any other. If a thread ends unexpectedly its page fails, and a new thread replaces
 * it.
 */
export async function openSite(logger: FastifyBaseLogger): Promise<Site> {
  const pool = new Piscina<Task, Rendered>({
    filename: fileURLToPath(new URL('./page-thread.ts', import.meta.url)),
    minThreads: pageThreads,
    maxThreads: pageThreads,
    resourceLimits: memory,
    // Lets a thread finish asynchronous work of a page, such as log lines, while it waits for the next page.
    atomics: 'disabled',
  });
  pool.on('error', (error) => logger.error(error, 'a thread that renders pages'));
  const facts = (await pool.run({} as Task, { name: 'facts' })) as unknown as SiteFacts;

  return {
    ...facts,
    async render(visit, call) {
      const { port1, port2 } = new MessageChannel();
      port1.on('message', async (made: LoaderCall) => port1.postMessage(await replyTo(made, call)));
      try {
        return await pool.run({ visit, port: port2 }, { transferList: [port2] });
      } finally {
        port1.close();
      }
    },
    close: () => pool.close(),
  };
}

async function replyTo({ nth, endpoint, input }: LoaderCall, call: CallEndpoint): Promise<LoaderReply> {
  try {
    return { nth, result: await call(endpoint as Endpoint, input as never) };
  } catch (error) {
    if (isApiError(error)) {
      const { status, code, sentence, field, params, fields } = error;
      return { nth, refused: { status, code, sentence, field, params, fields } };
    }
    // Other properties of an error may not be cloneable between threads.
    const { message, stack } = error as Error;
    return { nth, error: Object.assign(new Error(message), { stack }) };
  }
}
