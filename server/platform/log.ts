import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';

/**
 * URLs with a secret ticket, such as `/api/export/<ticket>`: anybody who knows the URL may use it. The log has the address of who follows
 * a report by its number, or reads a decision, which nobody should connect with it.
 */
const secretPaths = /^(\/api\/export\/|(?:\/api)?\/(?:report|decision)\/)[^/]+/i;
/**
 * Logged fields of an error. Other fields of PostgreSQL's errors contain values of rows, and some libraries attach a whole
 * request to an error.
 */
const loggedFields = [
  'type',
  'message',
  'stack',
  'code',
  'statusCode',
  'severity',
  'table',
  'column',
  'constraint',
];

/**
 * Opens the log. At every level it contains no password, token, cookie, nonce or e-mail address. Of a request it contains the
 * method, path and IP address; a query string is replaced by `?…`.
 */
export function openLog(level: string, destination: DestinationStream): Logger {
  // The multipart parser would log all headers of the request.
  const nothing = () => undefined;
  return pino({ level, serializers: { req: requestOf, err: errorOf, busboyOptions: nothing } }, destination);
}

function requestOf({ method, url = '', ip }: { method?: string; url?: string; ip?: string }) {
  const [path = '', query] = url.split('?', 2);
  return {
    method,
    url: `${path.replace(secretPaths, '$1…')}${query === undefined ? '' : '?…'}`,
    remoteAddress: ip,
  };
}

function errorOf(error: Error): object {
  const { aggregateErrors, ...all } = stdSerializers.err(error);
  return {
    ...Object.fromEntries(
      loggedFields.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])),
    ),
    ...(aggregateErrors ? { errors: error instanceof AggregateError ? error.errors.map(errorOf) : [] } : {}),
  };
}
