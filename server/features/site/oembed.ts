import type { z } from 'zod';
import type { getEmbed } from '#contract/embed.ts';
import { embedCode, embedSize, fitted, type Size, titleOf } from '#contract/embed-code.ts';
import type { AnswerOf } from '#contract/endpoint.ts';
import { id } from '#contract/fields.ts';
import { type Language, language } from '#contract/languages.ts';
import type { Context } from '#server/platform/context.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import { showPost } from '../posts-and-stories/posts.ts';
import { showReel } from '../reels/reels.ts';

type Answer = AnswerOf<typeof getEmbed>;

/** Of the pictures in a grid. */
const tileWidth = 360;

/** How another site may show the page of a reel or photo (oembed.com). */
export async function describeEmbed(
  context: Context<'db' | 'config'>,
  { url, format, maxwidth, maxheight }: z.output<(typeof getEmbed)['query']>,
  asked: string,
): Promise<Answer> {
  if (format !== 'json') throw new Refusal('format_unknown');
  // Without a port that is the usual one.
  const { origin } = new URL(asked);
  const { reelId, postId, lang } = pageAt(url, origin);
  const room = { width: maxwidth ?? Infinity, height: maxheight ?? Infinity };
  if (reelId) return await reelIn(context, { id: reelId, lang }, room, origin);
  if (postId) return await photoIn(context, postId, room, origin);
  throw notFound('page');
}

/** What an address of this site shows. */
function pageAt(url: string, origin: string) {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address?.origin !== origin) throw notFound('page');
  const [, kind = '', last, ...others] = address.pathname.replace(/\/$/, '').split('/');
  const path = others.length > 0 ? '' : kind.toLowerCase();
  const named = path === 'videoplayer' && last === undefined ? address.searchParams.get('reel') : last;
  const workId = id.safeParse(named).data;
  return {
    reelId: path === 'videoplayer' || path === 'embed' ? workId : undefined,
    postId: path === 'post' ? workId : undefined,
    lang: language.safeParse(address.searchParams.get('lang')).data,
  };
}

async function reelIn(
  context: Context<'db' | 'config'>,
  asked: { id: string; lang: Language | undefined },
  room: Size,
  origin: string,
): Promise<Answer> {
  const reel = await showReel(context, asked.id, undefined);
  const size = embedSize(reel, room);
  const tile = { url: reel.tileurl, ...fitted(reel, { width: tileWidth, height: Infinity }) };
  const picture = [tile, reel.card].findLast((image) => image && fits(image, room));
  return {
    ...about(reel, origin),
    // The line below the video has a height of its own.
    ...(fits(size, room)
      ? { type: 'video', ...size, html: embedCode(origin, reel, size, asked.lang) }
      : { type: 'link' }),
    ...(picture && {
      thumbnail_url: new URL(picture.url, origin).href,
      thumbnail_width: picture.width,
      thumbnail_height: picture.height,
    }),
  };
}

async function photoIn(
  context: Context<'db' | 'config'>,
  postId: string,
  room: Size,
  origin: string,
): Promise<Answer> {
  const post = await showPost(context, postId, undefined);
  const whole = { url: post.imageurl, width: post.width, height: post.height };
  const smaller = post.renditions.map(({ url, width }) => ({
    url,
    ...fitted(post, { width, height: Infinity }),
  }));
  const pictures = [...smaller, whole];
  const picture = pictures.findLast((image) => fits(image, room)) ?? pictures[0] ?? whole;
  return {
    type: 'photo',
    ...about(post, origin),
    url: new URL(picture.url, origin).href,
    // The smallest picture may be larger than the room for it.
    ...fitted(picture, room),
  };
}

const fits = (picture: Size, room: Size) => picture.width <= room.width && picture.height <= room.height;

const about = (
  shown: { _id: string; caption: string; username: string; userId: string },
  origin: string,
) => ({
  version: '1.0' as const,
  title: titleOf(shown),
  author_name: shown.username,
  author_url: `${origin}/user/${shown.userId}`,
  provider_name: 'Jhalak',
  provider_url: origin,
});
