import type { Kysely, Transaction } from 'kysely';
import type { Language } from '#contract/languages.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { Refusal } from '#server/platform/refusal.ts';
import type { ReceivedFile } from '#server/platform/storage.ts';
import { indexPerson } from '../search-index/search-index.ts';
import { dropFiles } from '../stored-files/stored-files.ts';
import { acceptPhoto, takePhoto } from '../uploads/photos.ts';
import { refuseLookAlike } from './followed-look-alikes.ts';
import { storedName, storedUsername } from './name-keys.ts';
import { refuseNames } from './names.ts';
import * as queries from './people.queries.ts';

/**
 * Changes name or username if they are given. Usernames are unique regardless of case. Returns whether anything
 * changed.
 */
export async function editProfile(
  db: Kysely<Tables>,
  personId: string,
  { name, username }: { name?: string | undefined; username?: string | undefined },
): Promise<boolean> {
  const change = {
    ...(name === undefined ? {} : storedName(name)),
    ...(username === undefined ? {} : storedUsername(username)),
  };
  if (Object.keys(change).length === 0) return false;
  const current = await queries.findNames(db, personId);
  // An app sends both names if one is changed: an unchanged name is not checked.
  const fresh = {
    name: name === current?.name ? undefined : name,
    username: change.username_key === current?.username_key ? undefined : username,
  };
  refuseNames(fresh);
  if (fresh.username) await refuseLookAlike(db, fresh.username, personId);
  return await inTransaction(db, async (trx) => {
    const renamed = await queries.rename(trx, personId, change);
    if (renamed === undefined) throw new Refusal('username_taken', {}, 'username');
    if (renamed && current) await indexPerson(trx, { ...current, id: personId, ...change });
    return renamed;
  });
}

/** The language of mails to a person. */
export async function setLanguage(db: Kysely<Tables>, personId: string, language: Language): Promise<void> {
  await queries.setLanguage(db, personId, language);
}

/** Sets an uploaded photo as the profile picture; the previous one is deleted. */
export async function setPhoto(
  context: Context<'db' | 'storage' | 'clock' | 'config'>,
  personId: string,
  file: ReceivedFile,
): Promise<void> {
  const { fileName } = await acceptPhoto(context, personId, file);
  await setPicture(context, personId, fileName);
}

/** Makes an uploaded photo the profile picture and deletes the previous one. */
export async function setPicture(
  { db, storage, clock }: Context<'db' | 'storage' | 'clock'>,
  personId: string,
  fileName: string,
): Promise<void> {
  const now = clock();
  const before = await inTransaction(db, async (trx) => {
    const photo = await takePhoto(trx, fileName, personId, now);
    if (!photo) throw new Refusal('upload_unknown', { what: 'photo' }, 'fileName');
    return await replacePicture(trx, personId, photo.key, now);
  });
  // If the process crashes here, the sweeper removes the files.
  if (before) await storage.remove(before);
}

/** Removes the profile picture. Returns false if there was none. */
export async function removePhoto(
  { db, storage, clock }: Context<'db' | 'storage' | 'clock'>,
  personId: string,
): Promise<boolean> {
  const before = await inTransaction(db, (trx) => replacePicture(trx, personId, null, clock()));
  if (before) await storage.remove(before);
  return Boolean(before);
}

/** Sets the picture, and deletes the registration of the previous one; returns its key. */
async function replacePicture(
  trx: Transaction<Tables>,
  personId: string,
  key: string | null,
  now: Date,
): Promise<string | null | undefined> {
  const before = await queries.setPicture(trx, personId, key);
  if (before) await dropFiles(trx, { ownerId: personId, keys: [before] }, now);
  return before;
}
