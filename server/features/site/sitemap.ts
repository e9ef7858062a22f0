import { type Kysely, sql } from 'kysely';
import { photoFile, reelFiles } from '#server/media/file-names.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { listTags } from '../search/tags.ts';
import { mediaUrl } from '../stored-files/urls.ts';

/** Public pages other than those of reels, photos, people and tags. */
const pages = [
  '/',
  '/Category',
  '/ShowPosts',
  '/AllUsers',
  '/About',
  '/EarningInfo',
  '/DownloadApp',
  '/PrivacyPolicy',
  '/Contact',
  '/Feedback',
];

/** Maximum number of addresses in one sitemap (sitemaps.org). */
const maxUrls = 50_000;

/** What has a page of its own. */
export const listedKinds = ['reels', 'posts', 'people'] as const;
type Kind = (typeof listedKinds)[number];

/** The index of sitemaps: one for pages, one for tags, and one for the reels, the photos and the people of each month. */
export async function sitemapIndex(db: Kysely<Tables>, origin: string): Promise<string> {
  const { rows } = await sql<{ kind: Kind; month: string }>`
    select distinct kind || 's' as kind, to_char(published_at at time zone 'UTC', 'YYYY-MM') as month
    from works where published_at is not null
    union
    select distinct 'people', to_char(created_at at time zone 'UTC', 'YYYY-MM')
    from people where suspended_at is null
    order by 1, 2 desc`.execute(db);
  const tags = (await listTags(db, 1)).map(() => 'tags');
  const parts = ['pages', ...tags, ...rows.map(({ kind, month }) => `${kind}-${month}`)];
  return document(
    'sitemapindex',
    parts.map((part) => `<sitemap><loc>${escaped(`${origin}/sitemaps/${part}.xml`)}</loc></sitemap>`),
  );
}

export function sitemapOfPages(origin: string): string {
  return document(
    'urlset',
    pages.map((path) => `<url><loc>${escaped(origin + path)}</loc></url>`),
  );
}

/** The newest tags: they are not dated, and all of them are as few as the words of a language. */
export async function sitemapOfTags(db: Kysely<Tables>, origin: string): Promise<string> {
  const tags = await listTags(db, maxUrls);
  return document(
    'urlset',
    tags.map((key) => `<url>${tag('loc', `${origin}/tag/${key}`)}</url>`),
  );
}

/** The reels or photos published or the people registered in a month (YYYY-MM, UTC). */
export async function sitemapOfMonth(
  { db, config }: Context<'db' | 'config'>,
  kind: Kind,
  month: string,
  origin: string,
): Promise<string> {
  const from = new Date(`${month}-01T00:00:00Z`);
  const to = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1));
  const listOf = { reels: reelsOf, posts: postsOf, people: peopleOf }[kind];
  return document('urlset', await listOf({ db, config }, { from, to }, origin));
}

interface Span {
  from: Date;
  to: Date;
}

/** Of a reel or a photo, joined with its creator: it is public, and was published in this time. */
const isPublicIn = ({ from, to }: Span) =>
  sql<boolean>`(deleted_at is null and taken_down_at is null and suspended_at is null
    and published_at >= ${from} and published_at < ${to})`;

async function reelsOf({ db, config }: Context<'db' | 'config'>, { from, to }: Span, origin: string) {
  const { mediaOrigin } = config;
  const rows = await db
    .selectFrom('reels')
    .innerJoin('people', 'people.id', 'reels.creator_id')
    .select(['reels.id', 'caption', 'media_key', 'cover_key', 'published_at', 'seconds', 'people.username'])
    .where('state', '=', 'ready')
    .where(isPublicIn({ from, to }))
    .orderBy('published_at', 'desc')
    .orderBy('reels.id', 'desc')
    .limit(maxUrls)
    .execute();
  const absolute = (url: string) => new URL(url, origin).href;
  return rows.map(({ id, caption, media_key, cover_key, published_at, seconds, username }) => {
    const title = caption || `@${username}`;
    const video = [
      tag('video:thumbnail_loc', absolute(mediaUrl(mediaOrigin, cover_key ?? media_key, reelFiles.poster))),
      tag('video:title', title.slice(0, 100)),
      tag('video:description', title.slice(0, 2048)),
      tag('video:content_loc', absolute(mediaUrl(mediaOrigin, media_key, reelFiles.video))),
      tag('video:duration', String(Math.max(1, Math.round(seconds)))),
      tag('video:publication_date', (published_at ?? from).toISOString()),
    ].join('');
    const loc = tag('loc', `${origin}/videoplayer?reel=${id}`);
    return `<url>${loc}<video:video>${video}</video:video></url>`;
  });
}

async function postsOf({ db, config }: Context<'db' | 'config'>, { from, to }: Span, origin: string) {
  const rows = await db
    .selectFrom('posts')
    .innerJoin('people', 'people.id', 'posts.creator_id')
    .select(['posts.id', 'media_key'])
    .where(isPublicIn({ from, to }))
    .orderBy('published_at', 'desc')
    .orderBy('posts.id', 'desc')
    .limit(maxUrls)
    .execute();
  return rows.map(({ id, media_key }) => {
    const picture = new URL(mediaUrl(config.mediaOrigin, media_key, photoFile), origin).href;
    const image = `<image:image>${tag('image:loc', picture)}</image:image>`;
    return `<url>${tag('loc', `${origin}/post/${id}`)}${image}</url>`;
  });
}

async function peopleOf({ db }: Context<'db'>, { from, to }: Span, origin: string) {
  const rows = await db
    .selectFrom('people')
    .select('id')
    .where('suspended_at', 'is', null)
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxUrls)
    .execute();
  return rows.map(({ id }) => `<url>${tag('loc', `${origin}/user/${id}`)}</url>`);
}

const tag = (name: string, text: string) => `<${name}>${escaped(text)}</${name}>`;

function document(root: 'sitemapindex' | 'urlset', lines: string[]): string {
  const google = 'http://www.google.com/schemas';
  const spaces = `xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="${google}/sitemap-image/1.1" xmlns:video="${google}/sitemap-video/1.1"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} ${spaces}>\n${lines.join('\n')}\n</${root}>\n`;
}

/** Escapes XML and removes control characters, which XML does not allow. */
function escaped(text: string): string {
  const signs: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&apos;',
  };
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: those that XML cannot hold
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replace(/[&<>"']/g, (sign) => signs[sign] ?? sign)
  );
}
