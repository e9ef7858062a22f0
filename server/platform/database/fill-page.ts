/** How many rows more than a page are read at first, since some of them may be left out. */
const spare = 20;

/**
 * Fills a page from rows of which some are left out: reads some more than the page, then four times as many, until the page is full or there are no more
 * rows. `read` is given how many rows to read at most, and returns those of them that are shown, up to the page, and how many it read.
 */
export async function fillPage<Page extends { rows: readonly unknown[]; read: number }>(
  limit: number,
  read: (most: number) => Promise<Page>,
): Promise<Page> {
  for (let most = limit + spare; ; most *= 4) {
    const page = await read(most);
    if (page.rows.length === limit || page.read < most) return page;
  }
}
