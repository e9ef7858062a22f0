import type { Endpoint } from '#contract/endpoint.ts';

const modules = import.meta.glob<Record<string, unknown>>(['../contract/*.ts', '!../contract/*.test.ts'], {
  eager: true,
});

/** Every endpoint of the contract, found by its shape, so that a new one cannot be forgotten. */
export const endpoints: Endpoint[] = [
  ...new Set(Object.values(modules).flatMap((module) => Object.values(module).filter(isEndpoint))),
];

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'path' in value && 'access' in value;
}

export function nameOf({ method, path }: Endpoint): string {
  return `${method} ${path}`;
}
