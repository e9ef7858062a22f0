import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { showPage } from '#testing/page/show-page.tsx';
import { FoldedWords } from './folded-words.tsx';

async function fold(words: string) {
  const page = async () => ({ default: () => <FoldedWords words={words} /> });
  await showPage({ page, address: '/post/1' });
  const paragraph = await screen.findByText((_, element) => element?.localName === 'p');
  const rest = paragraph.querySelector('.fold-rest')?.textContent;
  return { whole: paragraph.textContent, rest, button: document.querySelector('summary') };
}

const word = 'lamp ';
const link = `https://a.example/${'b'.repeat(400)}`;

describe('a text of somebody', () => {
  it.each([
    ['of 280 letters', word.repeat(56)],
    ['of six lines', 'a\n'.repeat(5).concat('b')],
    ['of one long word', link],
  ])('%s is shown whole', async (_, words) => {
    const { whole, rest, button } = await fold(words);
    expect([whole, rest, button]).toEqual([words, undefined, null]);
  });

  it.each([
    ['with more letters', word.repeat(57), word.repeat(9)],
    ['with more lines', 'a\n'.repeat(6).concat('b'), '\nb'],
    ['with a link after its beginning', `${word.repeat(40)}${link}`, link],
  ])('%s has a button, and something to show for it', async (_, words, folded) => {
    const { whole, rest, button } = await fold(words);
    expect([whole, rest?.trim(), button?.textContent]).toEqual([words, folded.trim(), 'Show allShow less']);
  });
});
