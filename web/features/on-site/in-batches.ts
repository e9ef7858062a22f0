/** As many ids as one call takes. */
const most = 100;

/**
 * Collects the ids that are asked about in one turn, and asks about all of them together. Whatever fails is asked again when it is shown
 * again: until then nobody knows, which looks as if it were not so.
 */
export function inBatches(ask: (ids: string[]) => Promise<void>): (id: string) => void {
  const waiting = new Set<string>();
  return (id) => {
    if (waiting.size === 0)
      setTimeout(() => {
        const ids = [...waiting];
        waiting.clear();
        for (let start = 0; start < ids.length; start += most)
          ask(ids.slice(start, start + most)).catch(() => undefined);
      });
    waiting.add(id);
  };
}
