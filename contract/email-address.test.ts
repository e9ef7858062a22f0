import { describe, expect, it } from 'vitest';
import { emailAddress } from './accounts.ts';
import { normalEmail } from './email-address.ts';
import { reasonIn } from './invalid.ts';

describe('normalEmail', () => {
  it.each([
    ['Asha.Rao+reels@Gmail.COM', 'Asha.Rao+reels@gmail.com'],
    ["o'rao_#!$%&*/=?^`{|}~-@people.example", "o'rao_#!$%&*/=?^`{|}~-@people.example"],
    ['x1@भारत.example', 'x1@xn--h2brj9c.example'],
    ['asha@डाटा.भारत', 'asha@xn--c2bd1gb.xn--h2brj9c'],
    ['asha@XN--C2BD1GB.xn--h2brj9c', 'asha@xn--c2bd1gb.xn--h2brj9c'],
    ['asha@डाटा。भारत', 'asha@xn--c2bd1gb.xn--h2brj9c'],
    ['asha@ｇｍａｉｌ．com', 'asha@gmail.com'],
    ['asha@例え.テスト', 'asha@xn--r8jz45g.xn--zckzah'],
    ['asha@مثال.إختبار', 'asha@xn--mgbh0fb.xn--kgbechtv'],
    ['asha@mail.museum', 'asha@mail.museum'],
    ['1@2.co', '1@2.co'],
  ])('reads %s as %s', (typed, expected) => {
    expect(normalEmail(typed)).toBe(expected);
    expect(normalEmail(expected)).toBe(expected);
  });

  it.each([
    'asha',
    'asha@',
    '@people.example',
    'asha@people',
    'asha@localhost',
    'asha@192.0.2.1',
    'asha@[192.0.2.1]',
    'asha@people..example',
    'asha@-people.example',
    'asha@people.example.',
    'asha@peo_ple.example',
    'asha@people.example:25',
    'asha@people.example/x',
    'asha@people.example?x',
    'asha@people.example#x',
    'asha@user:secret@people.example',
    'asha@people%2eexample.example',
    'asha@people.example\\x',
    '.asha@people.example',
    'asha.@people.example',
    'as..ha@people.example',
    'asha rao@people.example',
    '"asha rao"@people.example',
    'asha@people.example\r\nBcc: all@people.example',
    'asha\r\nBcc: all@people.example',
    'asha\u0000@people.example',
    'asha@peo\u202eple.example',
    'asha@people.example, other@people.example',
    '<asha@people.example>',
    'आशा@people.example',
    'аsha@people.example',
    `${'a'.repeat(65)}@people.example`,
    `asha@${'a'.repeat(64)}.example`,
    `asha@${'a.'.repeat(130)}example`,
  ])('refuses %j', (typed) => {
    expect(normalEmail(typed)).toBeUndefined();
  });
});

it('an address with other letters before the @ is refused with a sentence that says so', () => {
  const problemOf = (typed: string) =>
    emailAddress.safeParse(typed).error?.issues.map(({ message }) => reasonIn(message)?.params.what);
  expect(problemOf('आशा@डाटा.भारत')).toEqual(['email_letters']);
  expect(problemOf('asha@डाटा')).toEqual(['email']);
  expect(problemOf('asha@डाटा.भारत')).toBeUndefined();
});
