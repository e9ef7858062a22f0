import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
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
  ])('%s is accepted', async (name) => {
    // The digits are common to all scripts.
    const answer = await signUp({ username: `${name}.${process.pid}` });
    expect(answer.json()).toMatchObject({ status: 'ok' });
  });

  it('cannot be the first segment of a page’s path', () => {
    const routes = readFileSync(new URL('../../../web/routes.ts', import.meta.url), 'utf8');
    const words = [...routes.matchAll(/route\('(\w+)/g)].map(([, word]) => word?.toLowerCase());
    expect(words.length).toBeGreaterThan(25);
    expect(siteWords).toEqual(expect.arrayContaining(words));
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

it.each(['Asha आशा', 'आशा Asha', 'A\u200Bsha', 'Admin', '\u0410sha', '\u202E', 'क्\u200Dष'])(
  'the usernames that are made for a Google account of the name %j could be chosen',
  (name) => {
    const [, ...numbered] = usernamesFrom(name);
    expect(numbered.length).toBeGreaterThan(10);
    expect(numbered.map(usernameProblem).filter(Boolean)).toEqual([]);
    expect(nameProblem('Asha')).toBeUndefined();
  },
);
