import { type Kysely, sql } from 'kysely';

/** Identities of people at issuers, and the rate limit of password guesses. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // An account of an issuer needs no password.
  await sql`alter table people alter column password_hash drop not null`.execute(db);

  // A person is identified by (issuer, subject), never by e-mail address; at most one at each issuer.
  await sql`
    create table identities (
      issuer text not null,
      subject text not null,
      person_id uuid not null references people on delete cascade,
      linked_at timestamptz not null,
      primary key (issuer, subject),
      unique (person_id, issuer)
    )`.execute(db);

  // Used once, valid for minutes, stored only as hashes; using one deletes it.
  await sql`
    create table sign_in_nonces (
      hash bytea primary key,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index sign_in_nonces_expired on sign_in_nonces (expires_at)`.execute(db);

  // Recent wrong passwords, by keyed hashes: of an account at an address, of the account, of the address. The same for accounts that do not
  // exist. Stored here, so that every server limits the same guesser.
  await sql`
    create table password_guesses (
      kind smallint not null,
      key bytea not null,
      failures integer not null default 0,
      paused_until timestamptz,
      tried_at timestamptz not null,
      primary key (kind, key)
    )`.execute(db);
  await sql`create index password_guesses_old on password_guesses (tried_at)`.execute(db);

  // Addresses (keyed hashes) from which a person has logged in: guesses of others do not limit them there.
  await sql`
    create table sign_in_places (
      person_id uuid not null references people on delete cascade,
      place bytea not null,
      used_at timestamptz not null,
      primary key (person_id, place)
    )`.execute(db);
  await sql`create index sign_in_places_old on sign_in_places (used_at)`.execute(db);
}
