import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';

/** Good for whoever has the address: `/api/export/<ticket>`. */
const secretPlaces = /^(\/api\/export\/)[^/]+/;
/**
 * What is told of an error. PostgreSQL repeats values of the row that it refused in others, and a library may hang a
 * whole request onto its error.
 */
const told = ['type', 'message', 'stack', 'code', 'statusCode', 'severity', 'table', 'column', 'constraint'];

/**
 * The log. Whatever its level, it holds no password, token, cookie, nonce or e-mail address: of a request it tells
 * method, path and address, of a query only that there was one.
 */
export function openLog(level: string, destination: DestinationStream): Logger {
  // What takes forms apart would tell all headers of the request.
  const nothing = () => undefined;
  return pino({ level, serializers: { req: requestOf, err: errorOf, busboyOptions: nothing } }, destination);
}

function requestOf({ method, url = '', ip }: { method?: string; url?: string; ip?: string }) {
  const [path = '', query] = url.split('?', 2);
  return {
    method,
    url: `${path.replace(secretPlaces, '$1…')}${query === undefined ? '' : '?…'}`,
    remoteAddress: ip,
  };
}

function errorOf(error: Error): object {
  const { aggregateErrors, ...all } = stdSerializers.err(error);
  return {
    ...Object.fromEntries(told.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]]))),
    ...(aggregateErrors ? { errors: error instanceof AggregateError ? error.errors.map(errorOf) : [] } : {}),
  };
}
