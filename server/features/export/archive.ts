import { makeZip } from 'client-zip';
import type { Kysely } from 'kysely';
import { captionsFile, photoFile, reelFiles, thumbnailFile } from '#server/media/file-names.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { listSessions } from '../accounts/sessions.ts';
import { showDestination } from '../destinations/destination.ts';
import { decisionsOf } from '../months/decisions.ts';
import { payOfMonths } from '../months/month-worth.ts';
import { listDevices } from '../notifications/devices.ts';
import { listPasskeys } from '../passkeys/passkeys.ts';
import * as queries from './export.queries.ts';

interface Entry {
  name: string;
  lastModified: Date;
  input: string | AsyncIterable<string | Uint8Array>;
}

/**
 * All data of a person as one ZIP, produced while it is downloaded: lists in pages, files in chunks, one after the
 * other. Files are stored uncompressed, since media are compressed already.
 */
export async function* archiveOf(
  context: Context<'db' | 'storage' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  personId: string,
): AsyncGenerator<Uint8Array> {
  const entries = entriesOf(context, personId);
  const reader = makeZip(entries).getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    // If the client disconnects, the file that is being read is closed.
    await entries.return(undefined);
  }
}

async function* entriesOf(
  context: Context<'db' | 'storage' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  personId: string,
): AsyncGenerator<Entry, undefined> {
  const { db, storage, clock } = context;
  const now = clock();
  const person = await queries.findPerson(db, personId);
  if (!person) return;
  const json = (name: string, input: Entry['input']): Entry => ({ name, lastModified: now, input });
  const { picture_key, ...profile } = person;
  yield json('profile.json', written(profile));

  type List = (db: Kysely<Tables>, personId: string, after: string) => Promise<object[]>;
  const lists: [string, List, string][] = [
    ['reels.json', queries.listReels, '_id'],
    ['posts.json', queries.listPosts, '_id'],
    ['stories.json', queries.listStories, '_id'],
    ['seen-stories.json', queries.listSeenStories, 'storyId'],
    ['watched.json', queries.listWatchedReels, 'reelId'],
    ['comments.json', queries.listComments, '_id'],
    ['liked-reels.json', queries.listLikedReels, 'reelId'],
    ['liked-posts.json', queries.listLikedPosts, 'postId'],
    ['followers.json', queries.listFollowers, 'userId'],
    ['following.json', queries.listFollowing, 'userId'],
    ['notifications.json', queries.listNotifications, '_id'],
    ['messages.json', queries.listMessages, '_id'],
    ['withdrawals.json', queries.listWithdrawals, '_id'],
    ['payments.json', queries.listPayments, '_id'],
    ['activity.json', queries.listActivity, '_id'],
    ['shared-reels.json', queries.listSharedReels, 'reelId'],
    ['blocked.json', queries.listBlocked, 'userId'],
    ['reports.json', queries.listReports, '_id'],
    ['decisions.json', queries.listDecisions, '_id'],
    ['versions.json', queries.listVersions, '_id'],
    ['copies.json', queries.listCopies, '_id'],
  ];
  for (const [name, list, key] of lists) {
    yield json(name, asArray(rowsOf((after) => list(db, personId, after), key)));
  }
  const pays = await payOfMonths(context, personId);
  const earnings: object[] = [];
  for (const pay of pays) {
    const { month, counts, coins, waitingViews, accounts: established } = pay;
    earnings.push({ month, ...counts, coins, waitingViews, established, ...decisionsOf(pay) });
  }
  yield json('earnings.json', written(earnings));
  yield json('looks.json', written(await queries.listLooks(db, personId)));
  yield json('established.json', written(await queries.listEstablished(db, personId)));
  yield json('taste.json', written(await queries.findTaste(db, personId)));
  yield json('uploads.json', written(await queries.listUploads(db, personId)));
  yield json('devices.json', written(await listDevices(context, personId)));
  yield json('identities.json', written(await queries.listIdentities(db, personId)));
  const sessions = await listSessions(context, personId);
  yield json('links.json', written(await queries.listImports(db, personId)));
  yield json('passkeys.json', written(await listPasskeys({ db }, personId)));
  const { data: destination, unreadable } = await showDestination(context, personId);
  yield json('payout-destination.json', written(unreadable ? { unreadable } : destination));
  yield json('sessions.json', written(sessions.map(({ current: _, ...session }) => session)));

  for await (const { folder, key, file } of mediaOf(db, personId, picture_key)) {
    const stored = await storage.find(key, file);
    // The file was deleted after its row was read.
    if (!stored) continue;
    const input = stored.open();
    try {
      yield { name: `${folder}/${file}`, lastModified: stored.changedAt, input };
    } finally {
      input.destroy();
    }
  }
}

/** The media files of a person, with their names in the archive. */
async function* mediaOf(db: Kysely<Tables>, personId: string, pictureKey: string | null) {
  if (pictureKey) yield { folder: 'media/profile', key: pictureKey, file: photoFile };
  for await (const { _id, media_key, thumbnail_key, cover_key, state, captions } of rowsOf(
    (after) => queries.listReels(db, personId, after),
    '_id',
  )) {
    const folder = `media/reels/${_id}`;
    if (state === 'ready') yield { folder, key: media_key, file: reelFiles.video };
    if (cover_key) yield { folder, key: cover_key, file: reelFiles.poster };
    if (thumbnail_key) yield { folder, key: thumbnail_key, file: thumbnailFile };
    for (const { language, key } of captions) yield { folder, key, file: captionsFile(language) };
  }
  for await (const { _id, media_key } of rowsOf((after) => queries.listPosts(db, personId, after), '_id'))
    yield { folder: `media/posts/${_id}`, key: media_key, file: photoFile };
  for await (const { _id, media_key } of rowsOf((after) => queries.listStories(db, personId, after), '_id'))
    yield { folder: `media/stories/${_id}`, key: media_key, file: photoFile };
}

async function* rowsOf<Row extends object>(
  pageAfter: (after: string) => Promise<Row[]>,
  key: keyof Row | string,
): AsyncGenerator<Row, undefined> {
  let after = queries.start;
  for (;;) {
    const rows = await pageAfter(after);
    yield* rows;
    if (rows.length < queries.pageSize) return;
    after = String(rows.at(-1)?.[key as keyof Row]);
  }
}

/** A list as JSON, written row by row. */
async function* asArray(rows: AsyncIterable<object>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const row of rows) {
    yield `${before}${JSON.stringify(row, leavingKeysOut, 2)}`;
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

const written = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** Names files by the id of their content, because storage keys mean nothing to their owner. */
function leavingKeysOut(name: string, value: unknown): unknown {
  return ['media_key', 'thumbnail_key', 'cover_key', 'key'].includes(name) ? undefined : value;
}
