import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  to: string[];
  from: string;
  subject: string;
  messageId: string;
  autoSubmitted: string;
  text: string;
  html: string;
  raw: string;
}

/** The responses to the next mails, in order; undefined: it accepts the mail. */
export interface Reply {
  at: 'RCPT' | 'DATA';
  code: number;
  /** The text of the response. */
  says?: string;
  /** It stores the mail, but the sender gets an error. */
  takesIt?: boolean;
}

/** A mail server on loopback that stores the mails it gets. */
export async function startSmtp(credentials?: { user: string; password: string }) {
  const mails: ReceivedMail[] = [];
  const replies: (Reply | undefined)[] = [];
  const refuse = ({ code, says = 'not now' }: Reply) =>
    Object.assign(new Error(says), { responseCode: code });
  const server = new SMTPServer({
    logger: false,
    authOptional: credentials === undefined,
    allowInsecureAuth: true,
    hideSTARTTLS: true,
    onAuth: ({ username, password }, _session, done) =>
      username === credentials?.user && password === credentials?.password
        ? done(null, { user: username })
        : done(new Error('wrong')),
    onRcptTo(_address, _session, done) {
      const reply = replies[0]?.at === 'RCPT' ? replies.shift() : undefined;
      done(reply ? refuse(reply) : null);
    },
    onData(stream, session, done) {
      void buffer(stream).then(async (raw) => {
        const reply = replies.shift();
        if (!reply || reply.takesIt) {
          const mail = await PostalMime.parse(raw);
          mails.push({
            to: session.envelope.rcptTo.map(({ address }) => address),
            from: mail.from?.address ?? '',
            subject: mail.subject ?? '',
            messageId: mail.messageId ?? '',
            autoSubmitted: mail.headers.find(({ key }) => key === 'auto-submitted')?.value ?? '',
            text: mail.text ?? '',
            html: mail.html ?? '',
            raw: raw.toString('utf8'),
          });
        }
        done(reply ? refuse(reply) : null);
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const login = credentials ? `${credentials.user}:${credentials.password}@` : '';
  return {
    mails,
    replies,
    url: `smtp://${login}127.0.0.1:${port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
