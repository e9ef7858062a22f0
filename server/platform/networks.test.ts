import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const minute = 60_000;

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('the network of a person is forgotten an hour after the last request', async () => {
  const { clientOfPerson, noteNetwork } = await import('./networks.ts');
  for (const person of ['asha', 'ravi']) noteNetwork(person, '203.0.113.7');
  await vi.advanceTimersByTimeAsync(30 * minute);
  noteNetwork('asha', '203.0.113.7');
  await vi.advanceTimersByTimeAsync(29 * minute);
  expect(clientOfPerson('asha')[1]).toBe(clientOfPerson('ravi')[1]);
  await vi.advanceTimersByTimeAsync(2 * minute);
  expect(clientOfPerson('ravi')[1]).toBe('of ravi');
  expect(clientOfPerson('asha')[1]).not.toBe('of asha');
  await vi.advanceTimersByTimeAsync(30 * minute);
  expect(clientOfPerson('asha')[1]).toBe('of asha');
});

it('a network is remembered by a hash that does not reveal the address', async () => {
  const { clientOfPerson, noteNetwork } = await import('./networks.ts');
  noteNetwork('asha', '203.0.113.7');
  noteNetwork('ravi', '203.0.113.8');
  noteNetwork('mina', '2001:db8:7:1::5');
  noteNetwork('noor', '2001:db8:7:2::5');
  const marks = ['asha', 'ravi', 'mina', 'noor'].map((person) => clientOfPerson(person)[1]);
  expect(marks.join(' ')).not.toMatch(/203\.0|2001|db8/);
  expect(new Set(marks).size).toBe(3);
  expect(marks[2]).toBe(marks[3]);
});
