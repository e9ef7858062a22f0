import type { Kysely } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { findSetting, replaceSetting } from '#server/platform/settings.ts';

const name = 'mail';

/**
 * Stores at each start whether the site sends mail, for commands, which may run without the settings of the mail
 * server.
 */
export async function storeMail(db: Kysely<Tables>, isOn: boolean): Promise<void> {
  await replaceSetting(db, name, isOn ? 'on' : 'off');
}

/** Undefined where no server of this version has started yet. */
export async function sendsMail(db: Kysely<Tables>): Promise<boolean | undefined> {
  const stored = await findSetting(db, name);
  return stored === undefined ? undefined : stored === 'on';
}
