import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Cards } from '#server/features/stored-files/cards.ts';
import { cardFile, wideCardFile } from '#server/media/file-names.ts';
import type { Clock } from '#server/platform/clock.ts';
import { ipPrefixesOf } from '#server/platform/ip-prefix.ts';
import type { AnyStorage } from '#server/platform/storage/open.ts';
import { type Deliver, passOn, redirectTo } from './media-from-bucket.ts';

interface MediaContext {
  storage: AnyStorage;
  clock: Clock;
  mediaDelivery: 'proxy' | 'redirect';
  cards: Cards;
  /** Whether the files under a key must not be served. */
  isWithheld: (key: string) => Promise<boolean>;
}

const yearInSeconds = 365 * 24 * 60 * 60;
/** Each card is made once for everybody, when its link is first shared; only this is limited. */
const makingLimit = { name: 'making cards', limit: { perNetwork: 20 } };

interface MediaRequest {
  Params: { key: string; file: string };
  Querystring: { save?: string };
}

/**
 * Stored media: immutable under unguessable names, with ranges, and inert: whatever a file contains, a browser that
 * opens it runs nothing (decisions §7).
 */
export async function registerMedia(app: FastifyInstance, parts: MediaContext): Promise<void> {
  const stored = await deliveryBy(app, parts);
  const unsigned = parts.storage.kind === 's3' ? passOn(parts.storage) : stored;

  const deliver: Deliver = async (request, reply, asked) => {
    const { key, file } = asked;
    if (file !== cardFile && file !== wideCardFile) return await stored(request, reply, asked);
    const made = await parts.cards.find(key, file, {
      network: ipPrefixesOf(request.ip),
      countMaking: () => request.countNetwork(makingLimit),
    });
    return made ? await unsigned(request, reply, { ...asked, file: made }) : reply.callNotFound();
  };

  app.get<MediaRequest>(
    '/media/:key/:file',
    { schema: { hide: true }, compress: false },
    async (request, reply) => {
      const { key, file } = request.params;
      if (!/^[0-9a-f]{32}$/.test(key) || !/^[a-z0-9-]+\.[a-z0-9]+$/.test(file)) return reply.callNotFound();
      if (await parts.isWithheld(key)) return reply.callNotFound();
      reply.headers({
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'cross-origin',
        'access-control-allow-origin': '*',
      });
      // For a download: a browser obeys the `download` attribute of a link only for files of its own host.
      const saveAs = request.query.save === undefined ? undefined : `jhalak-${file}`;
      if (saveAs) reply.header('content-disposition', `attachment; filename="${saveAs}"`);
      return await deliver(request, reply, { key, file, saveAs });
    },
  );
}

async function deliveryBy(
  app: FastifyInstance,
  { storage, clock, mediaDelivery }: MediaContext,
): Promise<Deliver> {
  if (storage.kind === 's3')
    return mediaDelivery === 'redirect' ? redirectTo(storage, clock) : passOn(storage);
  await app.register(fastifyStatic, { root: storage.mediaFolder, serve: false, index: false });
  return async (_request, reply, { key, file }) =>
    reply.sendFile(`${key.slice(0, 2)}/${key}/${file}`, { maxAge: yearInSeconds * 1000, immutable: true });
}
