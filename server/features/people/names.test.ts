import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { signUpWithIdentity } from '../accounts/accounts.ts';
import { usernamesFrom } from '../accounts/usernames.ts';
import { listRefusedNames } from '../operators/people.ts';
import { nameProblem, siteWords, usernameProblem } from './names.ts';

let server: TestServer;
let asha: Person;
beforeAll(async () => {
  server = await startTestServer({ ROLE: 'web' });
});
afterAll(() => server.close());
beforeEach(async () => {
  asha = await signUpSomebody(server);
});

let count = 0;
function signUp(change: object) {
  count += 1;
  const username = `named${process.pid}x${count}`;
  const password = 'ten thousand rivers';
  const form = { name: 'Asha', username, email: `${username}@people.example`, password, cpassword: password };
  return server.inject({ method: 'POST', url: '/api/signup', payload: { ...form, ...change } });
}
const edit = (payload: object, { headers } = asha) =>
  server.inject({ method: 'POST', url: '/api/profile/edit', payload, headers });

const reserved = 'This username is reserved. Please choose another one.';
const hidden = 'A name cannot have invisible characters or marks that turn the direction of text.';
const oneScript = 'Please write your username in the letters of one script.';
const dots = 'A username cannot begin or end with a dot, or have two dots in a row.';
const marks =
  'A username cannot begin with an accent or a vowel sign, or have more than three on one letter.';
const alike = 'This username looks too much like another one. Please choose another one.';
const readable = 'Please write your name in one script, or in Latin letters beside one Indian script.';
const refusedUsernames = [
  ['.', 'A username needs a letter or a digit.'],
  ['..', 'A username needs a letter or a digit.'],
  ['-_.', 'A username needs a letter or a digit.'],
  ['jhalak', reserved],
  ['JHALAK', reserved],
  ['ｊｈａｌａｋ', reserved],
  ['admin', reserved],
  ['Support', reserved],
  ['VideoPlayer', reserved],
  ['api', reserved],
  // Hangul filler and combining grapheme joiner: invisible letters and marks.
  ['asha\u3164', hidden],
  ['as\u034Fha', hidden],
  // Variation selectors, which are marks.
  ['asha7\uFE0F', hidden],
  ['asha\u{E0101}', hidden],
  // Words of another script that look like reserved ones: Cyrillic, Greek, Armenian, and Cyrillic capitals.
  ['\u0458\u04BB\u0430\u04CF\u0430\u043A', reserved],
  ['\u03B1\u03C1\u03B9', reserved],
  ['\u0584\u0585\u0584', reserved],
  ['\u0410\u0420\u0406', reserved],
  // Digits, capitals and pairs of letters that look like letters, accents, and dots and dashes between the letters.
  ['jha1ak', reserved],
  ['jhaIak', reserved],
  ['supp0rt', reserved],
  ['adrnin', reserved],
  ['\u00E1dmin', reserved],
  ['_jha.lak_', reserved],
  ['.asha', dots],
  ['asha.', dots],
  ['asha..rao', dots],
  ['\u0301asha', marks],
  ['asha.\u093Fra', marks],
  ['7\u0301', marks],
  [`a${'\u0301'.repeat(20)}`, marks],
  ['asha\u0324\u0325\u032D\u0330', marks],
  // A Cyrillic а, a Greek ο, a Devanagari digit.
  ['\u0430sha', oneScript],
  ['j\u03BFshi', oneScript],
  ['asha७', oneScript],
  ['asha.आशा', oneScript],
] as const;
const refusedNames = [
  ['Asha\u202Eoar', hidden],
  ['\u200EAsha', hidden],
  ['A\u200Bsha', hidden],
  ['A\u200Dsha', hidden],
  ['Asha\u2066', hidden],
  // Controls that are drawn as nothing: annotation, private use, unassigned, a noncharacter, a blank Braille cell.
  ['Asha\uFFF9Rao', hidden],
  ['a\uFFFBb', hidden],
  ['Asha\uE000', hidden],
  ['Asha\u0378', hidden],
  ['Asha\uFDD0', hidden],
  ['Asha\u2800Rao', hidden],
  ['Asha\u{1D159}', hidden],
  ['Asha\u{E0067}\u{E007F}', hidden],
  ['\u{1F3F4}\u{E0061}\u{E0073}\u{E0068}\u{E0061}\u{E007F}', hidden],
  ['As\u0301\u200Dha', hidden],
  ['क्\u200D\u200Dष', hidden],
  ['Asha\uFE0F', hidden],
  ['\u0410sha Rao', readable],
  ['Asha आशा অশা', readable],
  ['आशा Аша', readable],
] as const;

describe('a new username', () => {
  it.each(refusedUsernames)(
    '%j is refused at sign-up and in the app with one clear sentence',
    async (username, error) => {
      const answers = [await signUp({ username }), await edit({ username })];
      for (const answer of answers) {
        expect(answer.statusCode).toBe(400);
        expect(answer.json()).toMatchObject({ code: 'name_refused', field: 'username', error });
      }
    },
  );

  it.each([
    'asha_rao.7',
    'Zoë',
    'आशा_राव',
    'आशा७',
    'অশা',
    'ஆஷா',
    'ఆశా',
    'ಆಶಾ',
    'ആശ',
    'આશા',
    'ਆਸ਼ਾ',
    'ଆଶା',
    'عاشا',
    'Аша',
    '田中さくら',
    '김철수',
    '2026.11',
    // Accents and vowel signs as scripts need them.
    'Nguyễn',
    'ড়াঁ',
    'ਜ਼ਿੰਦਗੀ',
    'क्ष्म्यैः',
  ])('%s is accepted', async (name) => {
    // The digits are common to all scripts.
    const answer = await signUp({ username: `${name}.${process.pid}` });
    expect(answer.json()).toMatchObject({ status: 'ok' });
  });

  it.each(['ali', 'Ali', 'ALI', 'mali', 'mall', 'cali', 'pian'])(
    'that is a word of its own, such as %s, is not a look-alike of a reserved word',
    (name) => {
      expect(usernameProblem(name)).toBeUndefined();
    },
  );

  it('cannot be the first segment of a page’s path', () => {
    const routes = readFileSync(new URL('../../../web/routes.ts', import.meta.url), 'utf8');
    const words = [...routes.matchAll(/route\('(\w+)/g)].map(([, word]) => word?.toLowerCase());
    expect(words.length).toBeGreaterThan(25);
    expect(siteWords).toEqual(expect.arrayContaining(words));
  });
});

describe('a new username that looks like that of another person', () => {
  /** A person with this username, and so many followers. */
  async function somebodyFollowed(username: string, followers: number): Promise<Person> {
    const person = await signUpSomebody(server);
    expect((await edit({ username }, person)).json().user).toMatchObject({ username });
    const followed = server.db.updateTable('people').set({ follower_count: followers });
    await followed.where('id', '=', person.id).execute();
    return person;
  }
  const alikes = (mark: string) => [
    `huntb1d${mark}`,
    `hunt.bid${mark}`,
    `hunt_bid_${mark}`,
    `h\u00FAntbid${mark}`,
  ];

  it('is refused if many follow that person', async () => {
    const followed = await somebodyFollowed('huntbidone', 100);
    for (const username of alikes('one'))
      for (const answer of [await signUp({ username }), await edit({ username })]) {
        expect(answer.statusCode, username).toBe(400);
        expect(answer.json()).toMatchObject({ code: 'name_refused', field: 'username', error: alike });
      }
    // Her own username she may write in another way, and a different letter is a different name.
    expect((await edit({ username: 'hunt.bid.one' }, followed)).statusCode).toBe(200);
    expect((await signUp({ username: 'huntbldone' })).statusCode).toBe(200);
  });

  it('is accepted if few do', async () => {
    await somebodyFollowed('huntbidtwo', 99);
    for (const username of alikes('two')) expect((await signUp({ username })).statusCode, username).toBe(200);
  });

  it('stays if it was there first, and its owner can change everything else', async () => {
    const before = await somebodyFollowed('huntb1dthree', 0);
    await somebodyFollowed('huntbidthree', 100);
    const answer = await edit({ name: 'Hunt', username: 'huntb1dthree' }, before);
    expect(answer.json().user).toMatchObject({ name: 'Hunt', username: 'huntb1dthree' });
  });

  it('is not made for a Google account', async () => {
    await somebodyFollowed('anandibose', 100);
    const made = await server.db.transaction().execute(async (trx) => {
      const who = { name: 'Anand1 Bose', email: `anand1${process.pid}@people.example` };
      return await signUpWithIdentity(trx, who, new Date());
    });
    const { username } = await server.db
      .selectFrom('people')
      .select('username')
      .where('id', '=', made ?? '')
      .executeTakeFirstOrThrow();
    expect(username).toMatch(/^anand1\.bose\d{4}$/);
  });

  it('is found by an index', async () => {
    const plan = await server.db.transaction().execute(async (trx) => {
      await sql`set local enable_seqscan = off`.execute(trx);
      return await sql`explain select username from people where look_key = 'x' and follower_count >= 100`.execute(
        trx,
      );
    });
    expect(JSON.stringify(plan.rows)).toContain('people_look');
  });
});

describe('a new name', () => {
  it.each(refusedNames)(
    '%j is refused at sign-up and in the app with one clear sentence',
    async (name, error) => {
      const answers = [await signUp({ name }), await edit({ name })];
      for (const answer of answers) {
        expect(answer.statusCode).toBe(400);
        expect(answer.json()).toMatchObject({ code: 'name_refused', field: 'name', error });
      }
    },
  );

  it.each([
    'Asha Rao',
    'Asha Rao (आशा राव)',
    'आशा राव ✨',
    'क्\u200Dष',
    'نوید\u200Cی',
    'ਆਸ਼ਾ & sons',
    'ᱟᱥᱟ Asha',
    '👩🏽\u200D🎓 Asha ❤\uFE0F',
    '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} Asha',
    '❤\uFE0F\u200D🔥 Asha ☎\uFE0E',
    '葛\u{E0100}城',
    '✊🏽 #\uFE0F⃣',
    'Nguyễn Văn An',
    'José O’Neill-Ñ',
    '田中 さくら',
  ])('%s is accepted', async (name) => {
    expect((await edit({ name })).json().user).toMatchObject({ name });
  });

  it('and a new username that are both refused are both reported', async () => {
    const answer = await signUp({ name: 'A\u200Bsha', username: 'admin' });
    expect(answer.json().fields).toMatchObject([
      { field: 'name', code: 'name_refused' },
      { field: 'username', code: 'name_refused' },
    ]);
  });
});

describe('existing names', () => {
  const old = { name: 'Аshа', username: '' };
  beforeEach(async () => {
    old.username = `а${asha.username}`;
    await server.db
      .updateTable('people')
      .set({ ...old, username_key: old.username })
      .where('id', '=', asha.id)
      .execute();
  });

  it('can stay, also if an app sends both and changes one', async () => {
    const kept = await edit({ name: 'Asha Rao', username: old.username });
    expect(kept.json().user).toMatchObject({ name: 'Asha Rao', username: old.username });
    expect((await edit({ username: `${old.username}.new` })).statusCode).toBe(400);
  });

  it('that could no longer be chosen are listed for operators', async () => {
    const mine = (await listRefusedNames(server.db)).filter(({ _id }) => _id === asha.id);
    expect(mine).toEqual([
      { _id: asha.id, ...old, field: 'username', problem: oneScript },
      { _id: asha.id, ...old, field: 'name', problem: readable },
    ]);
  });
});

it('a name from Google keeps the joiners that its script needs, and loses what is invisible', async () => {
  const made = await server.db.transaction().execute(async (trx) => {
    const who = {
      name: 'शर्\u200Dमा\u200B\uFFF9 👩\u200D🎓',
      email: `google${process.pid}@people.example`,
    };
    return await signUpWithIdentity(trx, who, new Date());
  });
  const { name } = await server.db
    .selectFrom('people')
    .select('name')
    .where('id', '=', made ?? '')
    .executeTakeFirstOrThrow();
  expect(name).toBe('शर्\u200Dमा 👩\u200D🎓');
});

it.each([
  'Asha आशा',
  'आशा Asha',
  'A\u200Bsha',
  'Admin',
  '\u0410sha',
  '\u202E',
  'क्\u200Dष',
  '\u0301Asha',
  '7\u0301 Asha',
  `A${'\u0324'.repeat(9)}sha`,
])('the usernames that are made for a Google account of the name %j could be chosen', (name) => {
  const [, ...numbered] = usernamesFrom(name);
  expect(numbered.length).toBeGreaterThan(10);
  expect(numbered.map(usernameProblem).filter(Boolean)).toEqual([]);
  expect(nameProblem('Asha')).toBeUndefined();
});
