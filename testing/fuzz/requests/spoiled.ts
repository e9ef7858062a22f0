import fc, { type Arbitrary } from 'fast-check';
import type { InjectOptions } from 'fastify';
import type { Operation, Parameter, Schema } from './document.ts';
import { type RequestParts, written } from './requests.ts';

/** A request that the document does not allow, and the error in it. */
export interface Spoiled {
  what: string;
  request: InjectOptions;
}

type Spoil = Arbitrary<(parts: RequestParts) => Promise<Spoiled>>;

/** Requests with exactly one error. */
export function spoiledOf(
  operation: Operation,
  right: Arbitrary<RequestParts>,
): Arbitrary<() => Promise<Spoiled>> {
  const ways = [
    ...operation.parameters.map((one) => wrongParameter(operation, one)).filter((one) => one !== undefined),
    ...(operation.body ? [...wrongBody(operation, operation.body), wrongBytes(operation)] : []),
    ...(operation.takesFile ? [wrongFile(operation)] : []),
    unreadable(operation),
  ];
  return fc.tuple(right, fc.oneof(...ways)).map(
    ([parts, spoil]) =>
      () =>
        spoil(parts),
  );
}

/** Values that do not match any schema of this kind; strings only if the schema constrains them. */
function wrongValues(schema: Schema): unknown[] {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) {
    const types = choices.flatMap(({ type }) => (type ? [type] : []));
    return [true, null, 1, 'x'.repeat(99_999), [], {}].filter(
      (one) => !types.some((type) => isOf(one, type)),
    );
  }
  const types = [null, true, 7, -0.5, 1e308, 'x', [], [[]], {}, { length: 1 }];
  const others = types.filter((one) => schema.type !== undefined && !isOf(one, schema.type));
  return [...others, ...outOfBounds(schema)];
}

function outOfBounds({ type, enum: allowed, format, pattern, ...of }: Schema): unknown[] {
  if (allowed) return ['', 'neither', `${allowed[0]} `, String(allowed[0]).toUpperCase()];
  switch (type) {
    case 'string':
      return [
        ...(of.minLength ? [''] : []),
        ...(of.maxLength ? ['x'.repeat(of.maxLength + 1), '🙂'.repeat(of.maxLength + 1)] : []),
        ...(format === 'uuid' ? ['', '0', 'x'.repeat(36), `${nobody}0`, ` ${nobody}`, '../..'] : []),
        ...(pattern && format !== 'uuid' ? ['<>', '\u0000', 'a b'] : []),
      ];
    case 'integer':
      return [
        1.5,
        1e308,
        ...(of.minimum === undefined ? [] : [of.minimum - 1, Number.MIN_SAFE_INTEGER]),
        ...(of.maximum === undefined ? [] : [of.maximum + 1, 2 ** 53, 2 ** 64]),
      ];
    case 'array':
      return [
        ...(of.minItems ? [[]] : []),
        ...(of.maxItems ? [Array.from({ length: of.maxItems + 1 }, () => null)] : []),
      ];
    default:
      return [];
  }
}

const nobody = '018f0000-0000-7000-8000-000000000000';

function isOf(value: unknown, type: Schema['type']): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

/** In a URL everything is text: where no text is invalid, two values are. */
function wrongParameter(
  operation: Operation,
  { in: place, name, required, schema }: Parameter,
): Spoil | undefined {
  const numbers = ['', 'x', '١٢', '12px', '0x', 'NaN', 'Infinity', '-0.1', '1e309', 'null', '1,2'];
  const wrong = [...outOfBounds(schema), ...(schema.type === 'integer' ? numbers : [])].map(String);
  const replaced = wrong.map((value) => async (parts: RequestParts) => ({
    what: `${place} ${name} is ${JSON.stringify(value).slice(0, 60)}`,
    request: await written(
      operation,
      place === 'path'
        ? { ...parts, path: { ...parts.path, [name]: value } }
        : { ...parts, query: [...parts.query.filter(([one]) => one !== name), [name, value]] },
    ),
  }));
  if (place === 'path') return replaced.length > 0 ? fc.constantFrom(...replaced) : undefined;
  const twice = async (parts: RequestParts) => ({
    what: `query ${name} stands twice`,
    request: await written(operation, { ...parts, query: [...parts.query, [name, '1'], [name, '2']] }),
  });
  const absent = async (parts: RequestParts) => ({
    what: `query ${name} is missing`,
    request: await written(operation, { ...parts, query: parts.query.filter(([one]) => one !== name) }),
  });
  return fc.constantFrom(...replaced, twice, ...(required ? [absent] : []));
}

function wrongBody(operation: Operation, schema: Schema): Spoil[] {
  const { properties = {}, required = [] } = schema;
  const send = async (what: string, parts: RequestParts, body: unknown) => ({
    what,
    request: await written(operation, { ...parts, body }),
  });
  const missing = required.map((name) => async (parts: RequestParts) => {
    const { [name]: _, ...rest } = parts.body as Record<string, unknown>;
    return await send(`field ${name} is missing`, parts, rest);
  });
  const wrong = Object.entries(properties).flatMap(([name, one]) =>
    wrongValues(one).map(
      (value) => async (parts: RequestParts) =>
        await send(`field ${name} is ${JSON.stringify(value).slice(0, 60)}`, parts, {
          ...(parts.body as object),
          [name]: value,
        }),
    ),
  );
  const items = Object.entries(properties).flatMap(([name, one]) =>
    wrongValues(one.items?.oneOf ? { type: 'object' } : (one.items ?? {})).map(
      (value) => async (parts: RequestParts) =>
        await send(`an item of ${name} is ${JSON.stringify(value).slice(0, 60)}`, parts, {
          ...(parts.body as object),
          [name]: [value],
        }),
    ),
  );
  const whole = [[], [[]], 'text', 7, true, null].map(
    (body) => async (parts: RequestParts) => await send(`the body is ${JSON.stringify(body)}`, parts, body),
  );
  return [missing, wrong, items, whole]
    .filter((ways) => ways.length > 0)
    .map((ways) => fc.constantFrom(...ways));
}

/** Bodies that are not JSON, or are declared as something else. */
function wrongBytes(operation: Operation): Spoil {
  const json = { 'content-type': 'application/json' };
  const deep = (open: string, close: string) => `{"a":${open.repeat(30_000)}1${close.repeat(30_000)}`;
  const ways: [
    what: string,
    of: (text: string) => { payload: string | Buffer; headers: Record<string, string> },
  ][] = [
    ['is cut off', (text) => ({ payload: text.slice(0, -1), headers: json })],
    ['has something after it', (text) => ({ payload: `${text},`, headers: json })],
    ['has no quotes', () => ({ payload: '{a:1}', headers: json })],
    ['is nested without end', () => ({ payload: deep('[', ']'), headers: json })],
    ['is nested without end in objects', () => ({ payload: deep('{"a":', '}'), headers: json })],
    ['sets a prototype', (text) => ({ payload: `{"__proto__":{"a":1},${text.slice(1)}`, headers: json })],
    ['sets a constructor', () => ({ payload: '{"constructor":{"prototype":{"a":1}}}', headers: json })],
    [
      'is no UTF-8',
      () => ({ payload: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31]), headers: json }),
    ],
    ['is UTF-16', (text) => ({ payload: Buffer.from(text, 'utf16le'), headers: json })],
    ['is NaN', () => ({ payload: 'NaN', headers: json })],
    ['is too large', () => ({ payload: `{"a":"${'x'.repeat(300_000)}"}`, headers: json })],
    ['is nothing', () => ({ payload: '', headers: json })],
    ...[
      'text/plain',
      'application/xml',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      ';;',
      'a/b;c',
    ].map((type): (typeof ways)[number] => [
      `says it is ${type}`,
      (text) => ({ payload: text, headers: { 'content-type': type } }),
    ]),
    [
      'says it is compressed',
      (text) => ({ payload: text.slice(1), headers: { ...json, 'content-encoding': 'gzip' } }),
    ],
  ];
  return fc.constantFrom(
    ...ways.map(([what, of]) => async (parts: RequestParts) => {
      const { payload: _, ...request } = await written(operation, parts);
      return { what: `the body ${what}`, request: { ...request, ...of(JSON.stringify(parts.body)) } };
    }),
  );
}

/** Forms without the file, with another field name, or without an end. */
function wrongFile(operation: Operation): Spoil {
  const type = 'multipart/form-data; boundary=b';
  const part = (name: string, content: string) =>
    `--b\r\ncontent-disposition: form-data; name="${name}"; filename="a"\r\n\r\n${content}\r\n`;
  const ways: [what: string, payload: string, type: string][] = [
    ['is empty', '--b--\r\n', type],
    ['is nothing', '', type],
    ['has another field', `${part('File', 'x')}--b--\r\n`, type],
    ['holds an empty file', `${part('file', '')}--b--\r\n`, type],
    ['holds what is no file of a kind', `${part('file', '#!/bin/sh')}--b--\r\n`, type],
    ['has no end', part('file', 'x'), type],
    ['has no boundary', `${part('file', 'x')}--b--\r\n`, 'multipart/form-data'],
    ['has an odd boundary', `${part('file', 'x')}--b--\r\n`, 'multipart/form-data; boundary="'],
    ['is JSON', '{"file":"x"}', 'application/json'],
    ['has many parts', `${part('a', 'x').repeat(100)}--b--\r\n`, type],
    ['poisons a prototype', `${part('__proto__', 'x')}--b--\r\n`, type],
    ['has no name', `--b\r\ncontent-disposition: form-data\r\n\r\nx\r\n--b--\r\n`, type],
    ['has headers without end', `--b\r\n${'x-a: b\r\n'.repeat(5000)}\r\nx\r\n--b--\r\n`, type],
  ];
  return fc.constantFrom(
    ...ways.map(([what, payload, contentType]) => async (parts: RequestParts) => {
      const { payload: _, ...request } = await written(operation, { ...parts, file: undefined });
      return {
        what: `the form ${what}`,
        request: { ...request, payload, headers: { 'content-type': contentType } },
      };
    }),
  );
}

/** A URL that cannot be parsed, or that does not exist. */
function unreadable(operation: Operation): Spoil {
  const ways: [what: string, of: (url: string) => string][] = [
    ['ends in half an escape', (url) => `${url.split('?')[0]}%`],
    ['holds no UTF-8', (url) => `${url.split('?')[0]}%ff`],
    ['holds a NUL', (url) => `${url.split('?')[0]}%00`],
    ['goes on', (url) => `${url.split('?')[0]}/more/of/it`],
    ['is too long', (url) => `${url.split('?')[0]}${'x'.repeat(3000)}`],
  ];
  return fc.constantFrom(
    ...ways.map(([what, of]) => async (parts: RequestParts) => {
      const request = await written(operation, parts);
      return { what: `the address ${what}`, request: { ...request, url: of(String(request.url)) } };
    }),
  );
}
