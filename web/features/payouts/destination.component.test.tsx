import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import {
  getDestination,
  type MaskedDestination,
  removeDestination,
  setDestination,
} from '#contract/payouts.ts';
import { answerCalls, refusal } from '#testing/page/answers.ts';
import { showPage } from '#testing/page/show-page.tsx';
import { zoya } from '#testing/page/things.ts';

const open = (lang: 'en' | 'hi' = 'en') =>
  showPage({
    page: () => import('#web/pages/payout-destination.tsx'),
    address: '/PayoutDestination',
    person: zoya,
    lang,
  });
const bank: MaskedDestination = {
  ...{ kind: 'bank', masked: '••••6789', bank: 'HDFC Bank', mergedInto: null },
  ...{ chosenAt: '2026-11-03T06:30:00Z', heldUntil: '2026-11-06T06:30:00Z', nameNotTaken: false },
};
const upi: MaskedDestination = { ...bank, kind: 'upi', masked: 'bi•••@ybl', bank: null };

it('/PayoutDestination takes a bank account, names the server’s refusals beside their fields, changes and removes it', async () => {
  const server = answerCalls();
  server.on(getDestination, { data: null, unreadable: false });
  const noAccount = 'Please enter an account number of 9 to 18 digits.';
  const noZero = 'The fifth character of an IFSC is a zero and not the letter O: HDFC0001234.';
  const about = (field: string, error: string) => ({ field, error, code: 'invalid_input', params: {} });
  server.on(
    setDestination,
    refusal(400, 'invalid_input', noAccount, { fields: [about('account', noAccount)] }),
    refusal(400, 'invalid_input', noZero, { fields: [about('ifsc', noZero)] }),
    { data: bank },
    { data: upi },
  );
  server.on(removeDestination, {});
  const { user } = await open();
  await screen.findByText(/^No payout destination yet\./);
  await user.click(screen.getByLabelText('Bank account'));
  const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
  const save = () => user.click(screen.getByRole('button', { name: 'Save' }));
  const type = async (name: string, words: string) => {
    await user.clear(field(name));
    await user.type(field(name), words);
  };
  await save();
  // Each field that is missing says so.
  await waitFor(() => expect(screen.getAllByText('Please fill this in.')).toHaveLength(3));
  expect(server.askedOf(setDestination)).toEqual([]);
  await type('Account number', '5010 0123');
  await type('Account number again', '50100124');
  await type('IFSC', 'HDFC1001234');
  await type('Name of the account', 'Binod Sen');
  await save();
  await screen.findByText('The two are not the same.');
  expect(server.askedOf(setDestination)).toEqual([]);
  await type('Account number again', '50100123');
  await save();
  await screen.findByText(noAccount);
  expect(field('Account number').getAttribute('aria-invalid')).toBe('true');
  // Typed on a Hindi keyboard, and the second time with others.
  await type('Account number', '५०१० ०१२३ ४५६७ ८९');
  await type('Account number again', '50100123456789');
  await type('IFSC', 'synb0001234');
  await screen.findByText(/^Syndicate Bank is part of Canara Bank now/);
  await type('IFSC', 'hdfco001234');
  expect(screen.queryByText(/^Syndicate Bank is part of Canara Bank now/)).toBeNull();
  await save();
  await screen.findByText(noZero);
  await user.click(screen.getByRole('button', { name: 'Use HDFC0001234' }));
  expect(field('IFSC').value).toBe('HDFC0001234');
  await save();
  await screen.findByText('HDFC Bank ••••6789');
  screen.getByText(/^Nothing is paid before/);
  expect(server.askedOf(setDestination).at(-1)?.body).toEqual({
    ...{ kind: 'bank', account: '५०१० ०१२३ ४५६७ ८९', ifsc: 'HDFC0001234', name: 'Binod Sen' },
  });

  await user.click(screen.getByRole('button', { name: 'Change' }));
  screen.getByText(/^A new destination is paid after 72 hours at the earliest/);
  await type('UPI id', 'binod@ybl');
  await type('UPI id again', 'Binod@ybl');
  await save();
  await screen.findByText('UPI id bi•••@ybl');
  await user.click(screen.getByRole('button', { name: 'Remove' }));
  const sheet = within(screen.getByRole('dialog'));
  await user.click(sheet.getByRole('button', { name: 'Keep it' }));
  expect(server.askedOf(removeDestination)).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Remove' }));
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove' }));
  await screen.findByText(/^No payout destination yet\./);
});

it('/PayoutDestination is in Hindi, too', async () => {
  const server = answerCalls();
  server.on(getDestination, { data: null, unreadable: false });
  server.on(setDestination, { data: upi });
  const { user } = await open('hi');
  await screen.findByRole('heading', { name: 'आपकी कमाई का भुगतान कहाँ हो' });
  await user.click(await screen.findByLabelText('बैंक खाता'));
  const save = () => user.click(screen.getByRole('button', { name: 'सहेजें' }));
  await save();
  expect(await screen.findAllByText('कृपया इसे भरें।')).toHaveLength(3);
  await user.click(screen.getByRole('radio', { name: 'UPI' }));
  await user.type(screen.getByLabelText('UPI आईडी'), 'chitra@ybl');
  await user.type(screen.getByLabelText('UPI आईडी फिर से'), 'chitra@ybl');
  await save();
  await screen.findByText('सहेज लिया गया।');
});
