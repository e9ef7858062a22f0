import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { getMonth } from '#contract/earnings.ts';
import { answerCalls, refusal } from '#testing/page/answers.ts';
import { showPage } from '#testing/page/show-page.tsx';
import { reel, zoya } from '#testing/page/things.ts';
import { PublicNow } from './published-card.tsx';

const path = '/videoplayer?reel=1';
const address = `http://localhost${path}`;

async function show() {
  answerCalls().on(getMonth, refusal(503, 'unavailable', 'Later.'));
  const Page = () => <PublicNow words="Published." link={null} path={path} work={reel(1, 'At dawn')} />;
  const { user } = await showPage({
    page: async () => ({ default: Page }),
    address: '/ReelPost',
    person: zoya,
  });
  return user;
}

it('sends what was published on WhatsApp, and copies its link, by one press', async () => {
  const user = await show();
  const whatsApp = await screen.findByRole('link', { name: 'Send on WhatsApp' });
  expect(whatsApp.getAttribute('href')).toBe(`https://wa.me/?text=${encodeURIComponent(address)}`);
  await user.click(screen.getByRole('button', { name: 'Copy link' }));
  await screen.findByText('Link copied.');
  expect(await navigator.clipboard.readText()).toBe(address);
});

it('shows the link where the browser does not let it be copied', async () => {
  const user = await show();
  const copy = await screen.findByRole('button', { name: 'Copy link' });
  Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });
  await user.click(copy);
  await screen.findByRole('dialog', { name: 'Share' });
  expect(await screen.findByDisplayValue(address)).toBeTruthy();
});
