import { createTransport } from 'nodemailer';
import { isLoopback } from '#server/platform/is-secure-origin.ts';
import type { Composed } from './compose.ts';

export interface Outgoing extends Composed {
  to: string;
  /** The same for each try, so that mail programs show a mail that was sent twice only once. */
  messageId: string;
}

export interface Transport {
  send(mail: Outgoing): Promise<void>;
  close(): void;
}

/** How long a mail server may take for each step, in milliseconds. */
const timeout = 15_000;

/** Mail by SMTP. A password is sent to a mail server only through TLS, except on this machine. */
export function openTransport({ url, from }: { url: string; from: string }): Transport {
  const { hostname, password, protocol } = new URL(url);
  const transporter = createTransport({
    url,
    pool: true,
    maxConnections: 2,
    requireTLS: protocol === 'smtp:' && password !== '' && !isLoopback(hostname),
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    dnsTimeout: timeout,
    socketTimeout: 2 * timeout,
    // Mails contain secrets.
    logger: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, messageId, subject, text, html }) {
      await transporter.sendMail({
        from: { name: 'Jhalak', address: from },
        to: { name: '', address: to },
        messageId,
        subject,
        text,
        html,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    },
    close: () => transporter.close(),
  };
}

/** Whether the mail server reported that the mailbox does not exist. All other errors may be transient. */
export function isNoMailbox(error: unknown): boolean {
  const { command, responseCode, response } = error as {
    command?: unknown;
    responseCode?: unknown;
    response?: unknown;
  };
  if (command !== 'RCPT TO') return false;
  // RFC 3463: 5.1.x is about the address, 5.2.1 a closed mailbox; 5.7.x, such as a relay that is denied, is about the sender.
  const [, detail] = /^5\d\d[ -]5\.(\d+\.\d+)/.exec(String(response)) ?? [];
  return detail ? /^1\.|^2\.1$/.test(detail) : Number(responseCode) === 550;
}
