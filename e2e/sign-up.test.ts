import { expect, it } from 'vitest';
import { emptySite } from '#testing/browser/site.ts';
import { visit } from '#testing/browser/visitor.ts';
import { signUpAt } from '#testing/clients/api-client.ts';

const site = emptySite();

it('sign-up shows all errors of the form at once, focuses the first field with one, and keeps the typed text', async () => {
  const { page, leave } = await site.open();
  await visit(page, '/SignupForm');
  const field = (name: string) => page.locator(`input[name=${name}]`);
  const fill = async (values: Record<string, string>) => {
    for (const [name, value] of Object.entries(values)) await field(name).fill(value);
    await page.locator('main').getByRole('button', { name: 'Sign up' }).click();
  };
  await fill({
    name: 'Meera Nair',
    username: 'no spaces',
    email: 'nope',
    password: 'a long password',
    cpassword: 'another password',
  });
  await page.getByText('Password and Confirm Password must be same').waitFor();
  await page.getByText('Please enter a valid email address.').waitFor();
  const invalid = () =>
    page
      .locator('[aria-invalid=true]')
      .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).name));
  await expect.poll(invalid).toEqual(['username', 'email', 'cpassword']);
  await expect.poll(() => page.locator(':focus').getAttribute('name')).toBe('username');
  expect(await field('name').inputValue()).toBe('Meera Nair');

  await signUpAt(site.origin, 'taken');
  await fill({ username: 'taken', email: 'taken@people.example', cpassword: 'a long password' });
  await page.getByText('This username is already taken.').waitFor();
  await page.getByText('An account with this email already exists.').waitFor();
  await leave();
});

it('sign-up reports missing and invalid fields together', async () => {
  const { page, leave } = await site.open();
  await visit(page, '/SignupForm');
  await page.locator('input[name=username]').fill('no spaces');
  await page.locator('input[name=email]').fill('nope');
  await page.locator('main').getByRole('button', { name: 'Sign up' }).click();
  await page.getByText('All fields are required').waitFor();
  await page.getByText('A username can have letters').waitFor();
  await page.getByText('Please enter a valid email address.').waitFor();
  await leave();
});

it('a failed login removes the sign-up notice', async () => {
  const { page, leave } = await site.open();
  await visit(page, '/SignupForm');
  const field = (name: string) => page.locator(`input[name=${name}]`);
  for (const name of ['name', 'username']) await field(name).fill('newcomer');
  for (const name of ['password', 'cpassword']) await field(name).fill('a long password');
  await field('email').fill('newcomer@people.example');
  await page.locator('main').getByRole('button', { name: 'Sign up' }).click();
  const news = page.locator('[data-sonner-toast]').filter({ hasText: 'Account created successfully' });
  // A notice does not disappear by itself while the mouse is over it.
  await news.hover();
  await field('password').fill('not it');
  await field('password').press('Enter');
  await page.getByText('Invalid credentials').waitFor();
  await expect.poll(() => news.count()).toBe(0);
  await leave();
});
