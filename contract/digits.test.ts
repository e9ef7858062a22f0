import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { confirmForm } from './confirmation.ts';
import { sendContact } from './contact.ts';
import { asciiDigits } from './digits.ts';
import { requestWithdrawal } from './earnings.ts';
import type { Endpoint } from './endpoint.ts';
import { destinationForm, destinationOf } from './payouts.ts';
import * as factor from './second-factor.ts';
import { recordedPayment } from './since-restore.ts';

const digits = '0123456789';
/** The digits of each script that has some, by the number of its zero. */
const scripts = Object.entries({
  ASCII: 0x30,
  Devanagari: 0x966,
  Bengali: 0x9e6,
  Gurmukhi: 0xa66,
  Gujarati: 0xae6,
  Tamil: 0xbe6,
  Telugu: 0xc66,
  'Arabic-Indic': 0x660,
  'Extended Arabic-Indic': 0x6f0,
  'full-width': 0xff10,
  'Ol Chiki': 0x1c50,
  'mathematical bold': 0x1d7ce,
  'mathematical monospace': 0x1d7f6,
});
const inScript = (text: string, zero: number) =>
  text.replaceAll(/\d/g, (one) => String.fromCodePoint(zero + Number(one)));

it.each(scripts)('asciiDigits reads the digits of %s', (_script, zero) => {
  expect(asciiDigits(`a${inScript(digits, zero)}ख ½ ²`)).toBe(`a${digits}ख ½ ²`);
});

const id = '0198b1f0-0000-7000-8000-000000000000';
const bank = { kind: 'bank', account: '1234567890', ifsc: 'HDFC0001234', name: 'Asha' };
const body = (endpoint: Endpoint) => endpoint.body as z.ZodType;
const request = { userId: id, month: '2026-10' };
const contact = { name: 'Asha', email: 'asha@people.example', text: 'Hello' };
const paid = { id, state: 'paid', reference: 'UTR' };

/** Every field in which a person types a number: how its call is read, a value, and what the server gets of it. */
const fields: Record<string, { read: (value: string) => unknown; typed: string; field: string }> = {
  'POST /api/confirm code': of(confirmForm, { act: 'export' }, 'code', '123456'),
  'POST /api/confirm totp': of(confirmForm, { act: 'export' }, 'totp', '123456'),
  'POST /api/second-factor/begin code': of(body(factor.beginSecondFactor), {}, 'code', 'AB12-CD34'),
  'POST /api/second-factor/finish totp': of(body(factor.finishSecondFactor), {}, 'totp', '123456'),
  'POST /api/second-factor/give totp': of(body(factor.giveSecondFactor), {}, 'totp', '123456'),
  'POST /api/second-factor/recovery-codes totp': of(body(factor.newRecoveryCodes), {}, 'totp', '123456'),
  'PUT /api/payout/destination account': ofDestination(bank, 'account', '0012345678901'),
  'PUT /api/payout/destination ifsc': ofDestination(bank, 'ifsc', 'HDFC0001234'),
  'PUT /api/payout/destination vpa': ofDestination({ kind: 'upi' }, 'vpa', '9876543210@okaxis'),
  'POST /api/user-earnings/request totalRupee': of(body(requestWithdrawal), request, 'totalRupee', '12.50'),
  'POST /api/contact/contact phone': of(body(sendContact), contact, 'phone', '+91 98765 43210'),
  'POST /api/operator/payouts/reconcile rupees': of(recordedPayment, paid, 'rupees', '12.50'),
};

function of(schema: z.ZodType, others: object, field: string, typed: string) {
  return { read: (value: string) => schema.parse({ ...others, [field]: value }), typed, field };
}

function ofDestination(others: object, field: string, typed: string) {
  return {
    read: (value: string) => destinationOf(destinationForm.parse({ ...others, [field]: value })),
    typed,
    field,
  };
}

describe.each(Object.entries(fields))('%s', (_name, { read, typed, field }) => {
  it.each(scripts)('accepts digits of %s', (_script, zero) => {
    expect(read(inScript(typed, zero))).toHaveProperty(field, typed);
  });
});

const isNumber =
  /code|totp|account|ifsc|vpa|upi|phone|mobile|rupee|amount|aadhaar|\bpan\b|\bpin|\bage\b|birth/i;

it('every field of the contract in which a person types a number is in this table', async () => {
  const found: string[] = [];
  for (const load of Object.values(import.meta.glob(['./*.ts', '!./*.test.ts']))) {
    for (const one of Object.values((await load()) as Record<string, unknown>)) {
      const { method, path, body: schema } = Object(one) as Partial<Endpoint>;
      if (!method || !path || !schema) continue;
      const shape = z.toJSONSchema(schema as z.ZodType, { io: 'input', unrepresentable: 'any' });
      for (const name of textsIn(shape)) if (isNumber.test(name)) found.push(`${method} ${path} ${name}`);
    }
  }
  expect(found.sort()).toEqual(Object.keys(fields).sort());
});

/** The names of all properties that may be a text without fixed values. */
function textsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  if (Array.isArray(schema)) return schema.flatMap(textsIn);
  const { properties = {}, ...rest } = schema as { properties?: Record<string, object> };
  const isText = (one: object): boolean =>
    ('type' in one && one.type === 'string' && !('enum' in one)) ||
    ('anyOf' in one && (one.anyOf as object[]).some(isText));
  return [
    ...Object.entries(properties).flatMap(([name, one]) =>
      isText(one) ? [name, ...textsIn(one)] : textsIn(one),
    ),
    ...textsIn(Object.values(rest)),
  ];
}
