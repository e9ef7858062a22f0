import { screen } from '@testing-library/react';
import { useForm } from 'react-hook-form';
import { describe, expect, it } from 'vitest';
import { getAllUsers } from '#contract/people.ts';
import { getFriendPosts } from '#contract/posts.ts';
import { getFriendReels } from '#contract/reels.ts';
import { answerCalls } from '#testing/page/answers.ts';
import { showPage } from '#testing/page/show-page.tsx';
import { person, reel, zoya } from '#testing/page/things.ts';
import { TextArea } from '#web/ui/field.tsx';
import { Suggested } from './suggested.tsx';
import { wordAt } from './word-at.ts';

function Form() {
  const form = useForm({ defaultValues: { caption: '' } });
  return (
    <>
      <Suggested>
        <TextArea label="Caption" maxLength={40} {...form.register('caption')} />
      </Suggested>
      <output>{form.watch('caption')}</output>
    </>
  );
}

async function open(lang: 'en' | 'hi' = 'en') {
  const server = answerCalls();
  server.on(getFriendReels, {
    data: [reel(1, 'Light #rangoli_night'), reel(2, '#Rain and #rangoli_night')],
    nextCursor: null,
  });
  server.on(getFriendPosts, { data: [], nextCursor: null });
  server.on(getAllUsers, { data: [person(2, { username: 'ravi.k' })], nextCursor: null });
  const page = async () => ({ default: Form });
  const { user } = await showPage({ page, address: '/ReelPost', person: zoya, lang });
  return { user, server, field: screen.getByLabelText<HTMLTextAreaElement>('Caption') };
}

const offered = async () => {
  await screen.findByRole('list', { name: /Suggestions|सुझाव/ });
  return screen.getAllByRole('listitem').map(({ textContent }) => textContent);
};

describe('a tag that is being written', () => {
  it('is completed by own former tags, the most used first, and by categories', async () => {
    const { user, field } = await open();
    await user.type(field, 'Tonight #ra');
    await screen.findByText('#rain');
    expect(await offered()).toEqual(['#rangoli_night', '#rain', '#rangoli']);
    await user.click(screen.getByRole('button', { name: '#rangoli' }));
    // The form has it too.
    await screen.findByText('Tonight #rangoli', { selector: 'output' });
    expect(document.activeElement).toBe(field);
    await user.type(field, 'it is');
    expect(field.value).toBe('Tonight #rangoli it is');
    expect(screen.queryByRole('list')).toBeNull();
  });

  it('is completed in the language of the page as well', async () => {
    const { user, field } = await open('hi');
    await user.type(field, '#क्रि');
    expect(await offered()).toEqual(['#क्रिकेट']);
  });

  it('is left as it is where the whole one would not fit', async () => {
    const { user, field } = await open();
    await user.type(field, `${'a'.repeat(35)} #ra`);
    await user.click(await screen.findByRole('button', { name: '#rangoli' }));
    expect(field.value).toBe(`${'a'.repeat(35)} #ra`);
  });
});

describe('a mention that is being written', () => {
  it('is completed by people who are found by it', async () => {
    const { user, field, server } = await open();
    await user.type(field, 'With @rav');
    await user.click(await screen.findByRole('button', { name: '@ravi.k' }));
    expect(field.value).toBe('With @ravi.k ');
    expect(server.askedOf(getAllUsers).at(-1)?.query).toEqual({ q: 'rav', limit: '6' });
    expect(server.askedOf(getFriendReels)).toHaveLength(0);
  });
});

describe('the word at the caret', () => {
  it.each([
    ['#rangoli', 4, { mark: '#', text: 'ran', from: 0 }],
    ['with @ravi.k', 12, { mark: '@', text: 'ravi.k', from: 5 }],
    ['at zoya@people', 14, undefined],
    ['#', 1, undefined],
    ['#rain now', 9, undefined],
    ['no tag', 6, undefined],
  ] as const)('of %j at %i is %j', (words, caret, word) => {
    expect(wordAt(words, caret)).toEqual(word);
  });
});
