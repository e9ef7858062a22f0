import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { LightMyRequestResponse } from 'fastify';
import type { Operation } from './document.ts';

/** The error in a response, by the document's description of its status; undefined if there is none. */
export type Judge = (response: LightMyRequestResponse) => string | undefined;

const ajv = new Ajv2020({ strict: false, allErrors: false });
addFormats.default(ajv);

/** Checks the responses of one call: none is a server error, and each has the shape that the document promises for its status. */
export function judgeOf({ responses }: Operation): Judge {
  const kinds = Object.entries(responses).map(([status, { content = {} }]) => ({
    status,
    contents: Object.entries(content).map(([type, { schema }]) => ({ type, fits: ajv.compile(schema) })),
  }));
  return ({ statusCode, headers, body }) => {
    // 501: what is asked for is not offered.
    if (statusCode >= 500 && statusCode !== 501) return `${statusCode}: ${body}`;
    const kind =
      kinds.find(({ status }) => status === String(statusCode)) ??
      kinds.find(({ status }) => status === `${String(statusCode)[0]}XX`);
    if (!kind) return `nothing is said of status ${statusCode}`;
    const type = String(headers['content-type']).split(';')[0];
    const content = kind.contents.find((one) => one.type === type);
    if (!content)
      return `${statusCode} is ${type}, and not ${kind.contents.map((one) => one.type).join(' or ')}`;
    if (type !== 'application/json') return undefined;
    return content.fits(parsed(body))
      ? undefined
      : `${statusCode}: ${ajv.errorsText(content.fits.errors)}: ${body}`;
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
