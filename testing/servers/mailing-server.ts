import { mailDelivery } from '#server/features/mail/sending.ts';
import { openTransport, type Transport } from '#server/features/mail/transport.ts';
import { deliverNext } from '#testing/deliver-next.ts';
import { startSmtp } from './smtp.ts';
import { startTestServer } from './test-server.ts';

/** A test server whose mails go to a real mail server on loopback, one at a time and only when the test says so. */
export async function startMailingServer(
  settings: Record<string, string> = {},
  surroundings: Parameters<typeof startTestServer>[1] = {},
) {
  const origin = 'https://jhalak.example';
  const smtp = await startSmtp();
  const transport = openTransport({ url: smtp.url, from: 'no-reply@jhalak.example' });
  // A process with the role `web` sends no mail.
  const server = await startTestServer(
    { ROLE: 'web', SMTP_URL: smtp.url, ORIGIN: origin, ...settings },
    surroundings,
  );
  const config = { timeZone: 'Asia/Kolkata', origin };
  const fail = (error: unknown) => {
    throw error;
  };

  /** Sends the mail that has been due for longest. */
  const sendOne = (
    now: Date,
    by: Pick<Transport, 'send'> = transport,
    warn: (error: unknown) => void = fail,
  ) => {
    const { db, keyring } = server;
    const logger = { warn: ({ err }: { err: unknown }) => warn(err) };
    return deliverNext({ db, clock: () => now }, mailDelivery({ db, keyring, config, logger }, by));
  };

  return {
    server,
    smtp,
    transport,
    origin,
    sendOne,
    /** Sends all due mails; returns the secret of the last link, or '' if no mail had one. */
    async sendAll(now = server.now.value): Promise<string> {
      while (await sendOne(now));
      // Two mails that are due at the same time are sent in any order: the last one may be a notice, which has no link.
      const secrets = smtp.mails.map(
        ({ text }) => /(?:VerifyEmail|ResetPassword)(?:\?lang=hi)?#(\S+)/.exec(text)?.[1],
      );
      return secrets.findLast((secret) => secret !== undefined) ?? '';
    },
    async close() {
      transport.close();
      await server.close();
      await smtp.close();
    },
  };
}
