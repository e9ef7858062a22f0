import type { Page } from 'playwright-core';
import { arrive } from './visitor.ts';

/** Signs somebody up by the forms, from a link to them, and logs them in, to the profile. */
export async function signUpByForms(page: Page, { name, username }: { name: string; username: string }) {
  const main = page.locator('main');
  const password = 'a long password';
  await main.getByRole('link', { name: 'Sign up' }).click();
  await arrive(page, '**/SignupForm');
  for (const [label, value] of [
    ['Name', name],
    ['Username', username],
    ['Email', `${username}@people.example`],
    ['Password', password],
    ['Confirm password', password],
  ] as const)
    await page.getByLabel(label, { exact: true }).fill(value);
  await main.getByRole('button', { name: 'Sign up' }).click();
  await arrive(page, '**/LoginEmail');
  await main.getByRole('button', { name: 'Login' }).click();
  await arrive(page, '**/UserProfile');
}
