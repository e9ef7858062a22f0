import { fileURLToPath } from 'node:url';
import { demoSite } from '#tools/demo-site.ts';

/** A site with the demo, which is stored for the next run and for `npm run look`. */
export const openDemo = () =>
  demoSite({ keptIn: fileURLToPath(new URL('../look/', import.meta.url)), whole: true });
