import { Secret, TOTP } from 'otpauth';
import type { OperatorRole } from '#contract/roles.ts';
import { invite } from '#server/features/second-factor/second-factor.ts';
import { newCode } from '#server/features/second-factor/totp.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { hashOfToken } from '#server/platform/secrets.ts';
import { call, type Person, signUpSomebody, type TestServer } from './test-server.ts';

type Site = Pick<TestServer, 'db'>;

/** Makes a person an operator, who sees what shows a child if they are an administrator; current sessions count as having used a second factor at this time. */
export async function makeOperator(
  { db }: Site,
  id: string,
  at = new Date(),
  role: OperatorRole = 'administrator',
): Promise<void> {
  const values = { role: 'operator', operator_role: role, child_safety: role === 'administrator' } as const;
  await db.updateTable('people').set(values).where('id', '=', id).execute();
  await db.updateTable('sessions').set({ factor_at: at }).where('person_id', '=', id).execute();
}

/** Signs up an operator, by `makeOperator`. */
export async function signUpOperator(
  server: TestServer,
  name: string,
  at?: Date,
  role?: OperatorRole,
): Promise<Person> {
  const operator = await signUpSomebody(server, name);
  await makeOperator(server, operator.id, at, role);
  return operator;
}

/** The code that an authenticator app shows at this time. */
export const appCode = (secret: string, at: Date): string =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: at.getTime() });

/** Makes a person an operator who enrols by the API; returns the app's secret, and recovery codes. */
export async function enrolOperator(
  server: TestServer,
  { id, headers }: Pick<Person, 'id' | 'headers'>,
  at = new Date(),
): Promise<{ secret: string; recoveryCodes: string[] }> {
  await server.db.updateTable('people').set({ role: 'operator' }).where('id', '=', id).execute();
  const code = await inTransaction(server.db, (trx) => invite(trx, id, at));
  const ask = (step: string, payload: object) =>
    call(server, { method: 'POST', url: `/api/second-factor/${step}`, headers, payload });
  const { secret } = await ask('begin', { code });
  const { recoveryCodes } = await ask('finish', { totp: appCode(secret, at) });
  return { secret, recoveryCodes };
}

/** Adds a recovery code for an operator who has enrolled, for a test that needs many. */
export async function anotherRecoveryCode({ db }: Site, personId: string): Promise<string> {
  const code = newCode();
  await db
    .insertInto('recovery_codes')
    .values({ person_id: personId, code_hash: hashOfToken(code) })
    .execute();
  return code;
}
