import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { isIP } from 'node:net';

/*
 * Loaded before every test and every program that a test starts: names of real hosts are not resolved, so that no test can send a
 * mail, a push message or a request to a real server by accident.
 */
const [find, findLater] = [dns.lookup, dns.promises.lookup];
const isHere = (name: string) => name === 'localhost' || name.endsWith('.localhost') || isIP(name) !== 0;
const unknown = (name: string) =>
  Object.assign(new Error(`${name} is not on this machine`), { code: 'ENOTFOUND' });

dns.lookup = ((name: string, ...rest: unknown[]) => {
  if (isHere(name)) return Reflect.apply(find, dns, [name, ...rest]);
  process.nextTick(rest.at(-1) as (error: Error) => void, unknown(name));
}) as typeof dns.lookup;
dns.promises.lookup = (async (name: string, ...rest: unknown[]) => {
  if (isHere(name)) return await Reflect.apply(findLater, dns.promises, [name, ...rest]);
  throw unknown(name);
}) as typeof dns.promises.lookup;
syncBuiltinESMExports();
