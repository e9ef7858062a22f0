import { cleanup, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { signIn, signUp } from '#contract/accounts.ts';
import { answerCalls, refusal } from '#testing/page/answers.ts';
import { arriveAt, showPage } from '#testing/page/show-page.tsx';
import { zoya } from '#testing/page/things.ts';
import { keepNewPassword } from './password-field.tsx';

const atLogin = { page: () => import('#web/pages/login-email.tsx'), address: '/LoginEmail' };
const login = (lang: 'en' | 'hi' = 'en') => showPage({ ...atLogin, lang });
const signUpPage = (lang: 'en' | 'hi' = 'en') =>
  showPage({ page: () => import('#web/pages/signup-form.tsx'), address: '/SignupForm', lang });

const field = (name: string) => document.querySelector(`input[name=${name}]`) as HTMLInputElement;
const submit = () => document.querySelector('main form button[type=submit]') as HTMLButtonElement;
const invalid = () =>
  [...document.querySelectorAll<HTMLInputElement>('[aria-invalid=true]')].map(({ name }) => name);
const wrongFields = (fields: Record<string, string>) =>
  refusal(400, 'invalid_input', Object.values(fields)[0] ?? '', {
    fields: Object.entries(fields).map(([name, error]) => ({
      field: name,
      error,
      code: 'invalid_input',
      params: {},
    })),
  });
const credentials = (code: string) => refusal(401, code, 'Invalid credentials', { params: {} });

describe('the login (specification §2, §5, §8)', () => {
  it('says that a password can be changed in the app only', async () => {
    answerCalls();
    await login();
    screen.getByText('You can change your password in the mobile app only.');
  });

  it('requires both fields, shows that they match no account, and keeps the address', async () => {
    const server = answerCalls();
    server.on(signIn, credentials('invalid_credentials'));
    const { user } = await login();
    await user.click(submit());
    await screen.findByText('All fields are required');
    expect(server.asked).toEqual([]);
    await user.type(field('email'), 'taken@people.example');
    await user.type(field('password'), 'not it');
    await user.click(submit());
    await screen.findByText('Invalid credentials');
    expect(field('email').value).toBe('taken@people.example');
  });

  it('links to the decision by which the account was suspended', async () => {
    const address = '/report/018f0000-0000-7000-8002-000000000001';
    const sentence = `This account is suspended. Read why, and how to appeal: ${address}`;
    const params = { what: 'decision', address };
    answerCalls().on(signIn, refusal(403, 'suspended', sentence, { params }));
    const { user } = await login();
    await user.type(field('email'), 'suspended@people.example');
    await user.type(field('password'), 'the right one');
    await user.click(submit());
    const link = await screen.findByRole('link', { name: address });
    expect(link.getAttribute('href')).toBe(address);
    expect(link.closest('[role=alert]')?.textContent).toBe(sentence);
  });

  it('shows and hides the password', async () => {
    answerCalls();
    const { user } = await login();
    await user.click(screen.getByRole('button', { name: 'Show password' }));
    expect(field('password').type).toBe('text');
    await user.click(screen.getByRole('button', { name: 'Hide password' }));
    expect(field('password').type).toBe('password');
  });

  it('stores the session and leads to the profile', async () => {
    answerCalls().on(signIn, { user: { ...zoya }, data: 'a token' });
    const { user } = await login();
    await user.type(field('email'), zoya.email);
    await user.type(field('password'), 'right{Enter}');
    await arriveAt('/UserProfile');
    expect(localStorage.getItem('authToken')).toBe('a token');
    expect(JSON.parse(localStorage.getItem('user') ?? '')).toMatchObject({ username: 'zoya' });
  });

  it('has the password of the account that was just made, and of no other', async () => {
    answerCalls();
    const comeWith = (email: string) => ({ ...atLogin, state: { email } });
    keepNewPassword({ email: 'new@people.example', password: 'a long password' });
    await showPage(comeWith('other@people.example'));
    expect(field('password').value).toBe('');
    cleanup();
    keepNewPassword({ email: 'new@people.example', password: 'a long password' });
    await showPage(comeWith('new@people.example'));
    expect(field('password').value).toBe('a long password');
    cleanup();
    await showPage(comeWith('new@people.example'));
    expect(field('password').value).toBe('');
  });

  it.each([
    ['en', 'Invalid credentials'],
    ['hi', 'ईमेल या पासवर्ड सही नहीं है'],
  ] as const)('with a wrong password says so in %s (decision 0031)', async (lang, words) => {
    answerCalls().on(signIn, credentials('invalid_credentials'));
    const { user } = await login(lang);
    await user.type(field('email'), 'nobody@example.org');
    await user.type(field('password'), 'wrong{Enter}');
    await screen.findByText(new RegExp(words));
  });

  it('shows how long to wait after too many wrong passwords', async () => {
    const sentence = 'Too many tries. Please wait 12 seconds and try again.';
    answerCalls().on(signIn, refusal(429, 'too_many_requests', sentence));
    const { user } = await login();
    await user.type(field('email'), 'nobody@people.example');
    await user.type(field('password'), 'a guess{Enter}');
    await screen.findByText(sentence);
    await waitFor(() => expect(submit().hasAttribute('aria-busy')).toBe(false));
  });
});

describe('the form to sign up', () => {
  it('shows all errors at once, missing and invalid fields together, focuses the first field with one, and keeps the typed text', async () => {
    const required = 'All fields are required';
    const noUsername = 'A username can have letters, digits, dots, dashes and underscores, without spaces.';
    const noEmail = 'Please enter a valid email address.';
    answerCalls().on(
      signUp,
      wrongFields({
        name: required,
        username: noUsername,
        email: noEmail,
        password: required,
        cpassword: required,
      }),
      wrongFields({
        username: noUsername,
        email: noEmail,
        cpassword: 'Password and Confirm Password must be same',
      }),
      wrongFields({
        username: 'This username is already taken.',
        email: 'An account with this email already exists.',
      }),
    );
    const { user } = await signUpPage();
    await user.type(field('username'), 'no spaces');
    await user.type(field('email'), 'nope');
    await user.click(submit());
    // Beside the first field that is missing, and not beside each.
    await screen.findByText(required);
    screen.getByText(/^A username can have letters/);
    screen.getByText(noEmail);
    expect(invalid()).toEqual(['name', 'username', 'email', 'password', 'cpassword']);
    expect(document.activeElement).toBe(field('name'));

    await user.type(field('name'), 'Meera Nair');
    await user.type(field('password'), 'a long password');
    await user.type(field('cpassword'), 'another password');
    await user.click(submit());
    await screen.findByText('Password and Confirm Password must be same');
    screen.getByText(noEmail);
    await waitFor(() => expect(invalid()).toEqual(['username', 'email', 'cpassword']));
    expect(document.activeElement).toBe(field('username'));
    expect(field('name').value).toBe('Meera Nair');

    await user.click(submit());
    await screen.findByText('This username is already taken.');
    screen.getByText('An account with this email already exists.');
  });

  it('says that the passwords differ even if the server was not reached', async () => {
    answerCalls().on(signUp, 'no answer');
    const { user } = await signUpPage();
    await user.type(field('password'), 'a long password');
    await user.type(field('cpassword'), 'another password');
    await user.click(submit());
    await screen.findByText('Password and Confirm Password must be same');
  });

  it("has the specification's message when the server fails, and success leads to the login, with the address filled in", async () => {
    const server = answerCalls();
    server.on(signUp, Response.json({}, { status: 500 }), { user: { ...zoya }, message: 'Welcome' });
    const { user } = await signUpPage();
    for (const [name, words] of Object.entries({
      name: 'Esha',
      username: 'esha',
      email: 'esha@people.example',
      password: 'one long password',
      cpassword: 'one long password',
    }))
      await user.type(field(name), words);
    await user.click(submit());
    await screen.findByText('Something went wrong');
    await user.click(submit());
    await screen.findByText(/^Account created successfully/);
    await arriveAt('/LoginEmail');
    expect(server.askedOf(signUp)[1]?.body).toMatchObject({ username: 'esha', language: 'en' });
  });

  it.each([
    ['en', 'This username is already taken.'],
    ['hi', 'यह यूज़रनेम पहले से लिया जा चुका है।'],
  ] as const)('says in %s beside the field that a username is taken (decision 0031)', async (lang, words) => {
    const sentence = 'This username is already taken.';
    answerCalls().on(signUp, refusal(409, 'username_taken', sentence, { field: 'username', params: {} }));
    const { user } = await signUpPage(lang);
    await user.type(field('username'), 'tara');
    await user.click(submit());
    await screen.findByText(words);
    expect(invalid()).toEqual(['username']);
  });
});

it('the page for a new password says so when it is opened without its link', async () => {
  answerCalls();
  const { user } = await showPage({
    page: () => import('#web/pages/reset-password.tsx'),
    address: '/ResetPassword',
  });
  await user.type(field('password'), 'a password');
  await user.click(screen.getByRole('button', { name: 'Save new password' }));
  await screen.findByText('Please open this page by the link in your mail.');
});
