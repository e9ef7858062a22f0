import { type Kysely, type Selectable, sql } from 'kysely';
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

/** Reels or photos that are public, and were published in this time, the newest first. */
const publicIn = (kind: 'reel' | 'post', { from, to }: Span) => sql`
  select works.id, creator_id, username, published_at from works join people on people.id = creator_id
  where kind = ${sql.lit(kind)} and published_at >= ${from} and published_at < ${to} and suspended_at is null
  order by published_at desc, works.id desc limit ${maxUrls}`;

async function reelsOf({ db, config }: Context<'db' | 'config'>, span: Span, origin: string) {
  const { mediaOrigin } = config;
  type Row = Pick<Selectable<Tables['reels']>, 'id' | 'caption' | 'media_key' | 'cover_key' | 'seconds'>;
  const { rows } = await sql<Row & { published_at: Date; username: string }>`
    with listed as materialized (${publicIn('reel', span)})
    select id, caption, media_key, cover_key, listed.published_at, seconds, username
    from listed join reels using (creator_id, id) order by listed.published_at desc, id desc`.execute(db);
  const absolute = (url: string) => new URL(url, origin).href;
  return rows.map(({ id, caption, media_key, cover_key, published_at, seconds, username }) => {
    const title = caption || `@${username}`;
    const video = [
      tag('video:thumbnail_loc', absolute(mediaUrl(mediaOrigin, cover_key ?? media_key, reelFiles.poster))),
      tag('video:title', title.slice(0, 100)),
      tag('video:description', title.slice(0, 2048)),
      tag('video:content_loc', absolute(mediaUrl(mediaOrigin, media_key, reelFiles.video))),
      tag('video:duration', String(Math.max(1, Math.round(seconds)))),
      tag('video:publication_date', published_at.toISOString()),
    ].join('');
    const loc = tag('loc', `${origin}/videoplayer?reel=${id}`);
    return `<url>${loc}<video:video>${video}</video:video></url>`;
  });
}

async function postsOf({ db, config }: Context<'db' | 'config'>, span: Span, origin: string) {
  const { rows } = await sql<{ id: string; media_key: string }>`
    with listed as materialized (${publicIn('post', span)})
    select id, media_key from listed join posts using (creator_id, id) order by listed.published_at desc, id desc`.execute(
    db,
  );
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
