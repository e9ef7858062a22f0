import { type Kysely, sql } from 'kysely';

/** Who a person is to an issuer they sign in at, and how guesses of passwords are slowed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Whom an issuer vouches for needs no password.
  await sql`alter table people alter column password_hash drop not null`.execute(db);

  // A person is (issuer, subject), never an e-mail address; one of them at each issuer.
  await sql`
    create table identities (
      issuer text not null,
      subject text not null,
      person_id uuid not null references people on delete cascade,
      linked_at timestamptz not null,
      primary key (issuer, subject),
      unique (person_id, issuer)
    )`.execute(db);

  // Given out once each, good for minutes, stored only as hashes; using one deletes it.
  await sql`
    create table sign_in_nonces (
      hash bytea primary key,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index sign_in_nonces_expired on sign_in_nonces (expires_at)`.execute(db);

  // Wrong passwords of late, by keyed hashes: of an account typed at an address, of the account, of the address. The
  // same for accounts that do not exist. Held here, so that every server slows the same guesser.
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

  // Addresses (keyed hashes) from which a person has logged in: strangers' guesses do not slow them there.
  await sql`
    create table sign_in_places (
      person_id uuid not null references people on delete cascade,
      place bytea not null,
      used_at timestamptz not null,
      primary key (person_id, place)
    )`.execute(db);
  await sql`create index sign_in_places_old on sign_in_places (used_at)`.execute(db);
}
