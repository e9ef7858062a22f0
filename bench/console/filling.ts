import pg from 'pg';
import { fillWorks, takeIndexes } from '../filling.ts';

/** What a filled site has of everything that operators list. */
export interface ConsoleSize {
  people: number;
  /** Of cases with a report each, undecided and as many decided; of withdrawals, acts in the log, messages, reels and photos. */
  rows: number;
}

/** How many accounts are operators: the first ones. Each has a session with a second factor, whose token is `operatorToken`. */
export const operators = 100;
export const operatorToken = (nth: number) => `operator-${nth}`;

/** A version 7 id: the time, then a hash of the name. */
const id = (name: string, time: string) =>
  `(lpad(to_hex((extract(epoch from ${time}) * 1000)::bigint), 12, '0') || '7' || substr(md5(${name}), 1, 3) ||
    '8' || substr(md5(${name}), 4, 15))::uuid`;
const at = (i: string, step: string) => `(timestamptz '2026-01-01' + ${i} * interval '${step}')`;
const person = (i: string) => id(`'person' || (${i})`, at(`(${i})`, '30 seconds'));
const reel = (i: string) => id(`'reel' || (${i})`, at(`(${i})`, '4 minutes'));
const post = (i: string) => id(`'post' || (${i})`, at(`(${i})`, '4 minutes'));
const someCase = (i: string) => id(`'case' || (${i})`, at(`(${i})`, '2 minutes'));
const decision = (i: string) => id(`'decision' || (${i})`, at(`(${i})`, '2 minutes'));
const withdrawal = (i: string) => id(`'withdrawal' || (${i})`, at(`(${i})`, '4 minutes'));
/** The same other person for each number. */
const other = (i: string, people: number) => person(`(${i} * 7919 + 13) % ${people}`);
/** Who first names and last names are. */
const names = (of: string) => `(array[${of.split(' ').map((one) => `'${one}'`)}])`;
const first = names(
  'Asha Binod Chitra Dev Esha Farid Gita Hari Indu Jatin Kavya Lata Mira Nita Om Pia Ravi Sita Tara Uma',
);
const last = names('Rao Sharma Khan Patel Iyer Das Gill Nair Roy Singh Bose Mehta Joshi');
const picture = `'data:image/webp;base64,UklGR'`;

/** Fills an empty, migrated database, without randomness. What is rare in a list is at its end. */
export async function fillConsole(url: string, size: ConsoleSize): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const indexes = await takeIndexes(client);
    for (const statement of statements(size)) await client.query(statement);
    await fillWorks(url);
    for (const statement of ['vacuum', ...indexes, 'vacuum analyze']) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** All statements, in the order of creation. */
export function statements({ people, rows }: ConsoleSize): string[] {
  const series = (to: number | string, from = 0) => `from generate_series(${from}::bigint, ${to} - 1) i`;
  const evidence = (owner: string) =>
    `jsonb_build_object('ownerId', ${owner}, 'owner', 'asha', 'words', 'Boats at noon', 'more', '', 'picture', null, 'video', null, 'reelId', null)`;
  const kind = `case when i % 1000 = 999 then 'story' when i % 10 = 0 then 'appeal' when i % 10 < 5 then 'reel' when i % 10 < 8 then 'post' else 'person' end`;
  const target = `case when i % 1000 = 999 then ${id("'story' || i", at('i', '2 minutes'))} when i % 10 = 0 then ${decision(`(i % ${rows})`)}
    when i % 10 < 5 then ${reel('i')} when i % 10 < 8 then ${post('i')} else ${other('i', people)} end`;
  // The cases that are due last have the rarest language.
  const language = `case when i % ${rows} > ${rows} - 50 then 'other' when i % 3 = 0 then 'hi' else 'en' end`;
  const acts = `(array['report.close','report.take-up','content.take-down','person.suspend','withdrawal.complete'])`;
  // What these acts are done to: the log says in words what a case, a work or a person is.
  const work = `case when i % 10 = 2 then 'reel' else 'post' end`;
  const acted = `(array['report','report',${work},'person','withdrawal'])[1 + i % 5]`;
  const actedOn = `(array[${someCase('i')},${someCase('i')},case when i % 10 = 2 then ${reel('i')} else ${post('i')} end,
    ${other('i', people)},${withdrawal('i')}])[1 + i % 5]`;
  return [
    // Foreign keys are not checked, since all rows that they name exist; nor is what only triggers refuse.
    'set session_replication_role = replica',
    `insert into people (id, name, name_key, username, username_key, look_key, email, email_key, role, suspended_at, created_at)
     select ${person('i')}, full_name, lower(full_name), name, name, name, name || '@people.example', name || '@people.example',
       case when i < ${operators} then 'operator' else 'person' end, case when i % 997 = 996 then made end, made
     ${series(people)}, lateral (select ${first}[1 + i % 20] || ' ' || ${last}[1 + (i / 20) % 13] as full_name,
       case when i % 100000 = 99999 then 'zq' || i else lower(${first}[1 + (i / 7) % 20]) || i end as name, ${at('i', '30 seconds')} as made) named`,
    `insert into second_factors (person_id, secret, enrolled_at) select ${person('i')}, 'x', now() ${series(operators)}`,
    `insert into sessions (token_hash, person_id, factor_at, created_at, used_at)
     select sha256(('operator-' || i)::bytea), ${person('i')}, now(), now(), now() ${series(operators)}`,
    `insert into reels (id, creator_id, media_key, caption, credit, categories, state, failure, sha256, placeholder, width, height, seconds,
       uploaded_at, published_at)
     select ${reel('i')}, ${other('i', people)}, md5('reel' || i), 'Boats at noon', '', '{}', state,
       case when state = 'failed' then 'It failed.' end, decode(md5('bytes' || i), 'hex'), ${picture}, 720, 1280, 20, made,
       case when state = 'ready' then made end
     ${series(rows)}, lateral (select ${at('i', '4 minutes')} as made,
       case when i % 100 = 1 then 'failed' when i % 100 = 2 then 'processing' else 'ready' end as state) one`,
    `insert into posts (id, creator_id, media_key, caption, description, sha256, placeholder, width, height, widths, published_at)
     select ${post('i')}, ${other('i', people)}, md5('post' || i), 'A picture', '', decode(md5('photo' || i), 'hex'), ${picture}, 1080,
       1350, '{360,720}', ${at('i', '4 minutes')} ${series(rows)}`,
    `insert into cases (id, kind, target_id, language, evidence, reasons, report_count, opened_at, due_at, claimed_by, claimed_until,
       closed_at, closed_by, is_muted)
     select ${someCase('i')}, ${kind}, ${target}, ${language}, ${evidence(other('i', people))}, '{spam}', 1, ${at('i', '2 minutes')},
       ${at('i', '2 minutes')} + interval '7 days', case when i % 200 = 3 then ${person('i % 3')} end,
       case when i % 200 = 3 then now() + interval '30 days' end,
       case when i >= ${rows} then ${at('i', '2 minutes')} + interval '1 day' end, case when i >= ${rows} then 'asha' end, i % 20 = 4
     ${series(2 * rows)}`,
    `insert into reports (id, case_id, number, reporter_id, reason, text, contact, created_at)
     select ${someCase('i')}, ${someCase('i')}, md5('report' || i), case when i % 3 > 0 then ${other('i + 1', people)} end, 'spam', '', '',
       ${at('i', '2 minutes')} ${series(2 * rows)}`,
    `insert into decisions (id, key, case_id, kind, target_id, person_id, evidence, rule, act, reason, decided_by, decided_at)
     select ${decision('i')}, ${id("'key' || i", at('i', '2 minutes'))}, ${someCase(`i + ${rows}`)}, 'reel', ${reel('i')}, ${other('i', people)},
       ${evidence(other('i', people))}, 'spam', 'content', 'Spam', ${person('i % 50')}, ${at('i', '2 minutes')} ${series(rows)}`,
    `insert into withdrawals (id, creator_id, month, coins, paise, state, reference, reason, requested_at, decided_at)
     select ${withdrawal('i')}, ${other('i', people)}, to_char(made - interval '1 month', 'YYYY-MM'), 500, 100, state,
       case when state = 'completed' then 'UTR' || i end, case when state = 'rejected' then 'No' end, made,
       case when state <> 'pending' then made + interval '2 days' end
     ${series(rows)}, lateral (select ${at('i', '4 minutes')} as made,
       case when i % 10 = 0 then 'pending' when i % 1000 = 1 then 'rejected' else 'completed' end as state) one`,
    `insert into ledger_transactions (id, withdrawal_id, step, debit, credit, paise, posted_at)
     select ${id("'posted' || w.id || s.step", 's.posted')}, w.id, s.step, 'creator_payable', 'payouts', paise, s.posted from withdrawals w,
       lateral (select 'requested' as step, requested_at as posted union all select state, decided_at where state <> 'pending') s`,
    `insert into payout_batches (id, payer, state, paise, needs_approval, made_at, made_by, ended_at)
     select ${id("'batch' || i", at('i', '40 minutes'))}, 'file', 'sent', 1000, false, ${at('i', '40 minutes')}, ${person('1')},
       ${at('i', '40 minutes')} ${series(rows / 10)}`,
    `insert into audit_log (id, operator_id, operator, act, target_kind, target_id, details, acted_at)
     select ${id("'act' || i", at('i', '4 minutes'))}, ${person('i % 50')}, case when i = 7 then 'rare' else 'asha' || i % 20 end,
       case when i = 9 then 'keys.rotate' else ${acts}[1 + i % 5] end, ${acted}, ${actedOn}::text, '{"reason":"Spam"}',
       ${at('i', '4 minutes')} ${series(rows)}`,
    `insert into messages (id, kind, person_id, name, email, phone, text, created_at)
     select ${id("'message' || i", at('i', '4 minutes'))}, case when i % 1000 = 0 then 'feedback' else 'contact' end, ${other('i', people)},
       'Asha', 'asha@people.example', '', 'Hello ' || i, ${at('i', '4 minutes')} ${series(rows)}`,
    `insert into copies (work_id, creator_id, kind, original_id, original_kind, found_at, asked_at, words, decided_at, verdict, reason)
     select ${post('i')}, ${other('i', people)}, 'post', ${post('i - 1')}, 'post', ${at('i', '4 minutes')}, ${at('i', '4 minutes')}, 'Mine',
       case when i % 20 > 0 then now() end, case when i % 20 > 0 then 'copy' end, case when i % 20 > 0 then 'The same' end
     ${series(rows / 5, 1)}`,
    `insert into months (month, views_per_creator, views_in_all, rules, closed_at, counted_at) values ('2026-01', 200, 20000, '{}', now(), now())`,
    `insert into month_results (creator_id, month, reels, posts, stories, views, likes, paid_reels, paid_posts, paid_stories, paid_views,
       paid_likes, accounts, account_views, coins, paise, may_be_carried)
     select ${person('i')}, '2026-01', 1, 1, 1, 3000, 0, 1, 1, 1, case when i % 20 = 0 then 2000 else 3000 end, 0, 5, 2000, 300, 60, true
     ${series(rows)}`,
    `insert into site_days select day, 10, 20, 3000, 2000, 100, 100, 1e9, now() from generate_series(current_date - 800, current_date, '1 day') day`,
    `insert into audit_differences select ${id("'difference' || i", 'now()')}, 'month', ${person('i')}::text, '2026-01', 'views', '2', '1', now()
     ${series(1000)}`,
  ];
}
