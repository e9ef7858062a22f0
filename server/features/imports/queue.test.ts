import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { noteNetwork } from '#server/platform/networks.ts';
import { createImportQueue } from './queue.ts';

/** A person whose last request came from this address. */
function personAt(address: string): string {
  const id = randomUUID();
  noteNetwork(id, address);
  return id;
}

/** Imports that run until they are ended. */
function importsOf(queue: ReturnType<typeof createImportQueue>) {
  const begun: { name: string; end: () => void }[] = [];
  const all: Promise<void>[] = [];
  const work = (name: string) => () => new Promise<void>((end) => begun.push({ name, end }));
  const add = (name: string, imported: Promise<void>) =>
    all.push(imported.catch(() => void begun.push({ name: `${name}: refused`, end: () => undefined })));
  return {
    ofPerson: (name: string, personId: string) => add(name, queue.ofPerson(personId, work(name))),
    ofVisitor: (name: string, address: string) => add(name, queue.ofVisitor(address, work(name))),
    /** Ends one after another, in the order in which they began, which it returns. */
    async order() {
      for (let nth = 0; nth < all.length; nth += 1) {
        await expect.poll(() => begun.length, { interval: 5 }).toBeGreaterThan(nth);
        begun[nth]?.end();
      }
      await Promise.all(all);
      return begun.map(({ name }) => name);
    },
  };
}

it('people of one network with many waiting imports delay a person of another network by none of these', async () => {
  const imports = importsOf(createImportQueue());
  const crowd = Array.from({ length: 7 }, (_, nth) => `${nth + 1} of the crowd`);
  for (const [nth, name] of crowd.entries()) imports.ofPerson(name, personAt(`2001:db8:7:${nth}::1`));
  imports.ofPerson('other', personAt('2001:db8:8::1'));
  expect(await imports.order()).toEqual([...crowd.slice(0, 4), 'other', ...crowd.slice(4)]);
});

it('people of networks that are not known take turns with a network, too', async () => {
  const imports = importsOf(createImportQueue());
  const crowd = Array.from({ length: 6 }, (_, nth) => `${nth + 1} of the crowd`);
  for (const name of crowd) imports.ofPerson(name, personAt('203.0.113.7'));
  imports.ofPerson('other', randomUUID());
  expect(await imports.order()).toEqual([...crowd.slice(0, 4), 'other', ...crowd.slice(4)]);
});

it('visitors of one network take turns with a visitor of another one for the place of visitors', async () => {
  const imports = importsOf(createImportQueue());
  for (const name of ['first', 'second', 'third']) imports.ofVisitor(name, '203.0.113.7');
  imports.ofVisitor('other', '203.0.113.8');
  expect(await imports.order()).toEqual(['first', 'second', 'other', 'third']);
});
