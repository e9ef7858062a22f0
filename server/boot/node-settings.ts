import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// React decides at its first import, wherever that is, whether to carry its development checks; they cost a third of a
// page's time. So this is the first import of the program.
process.env.NODE_ENV ??= 'production';
// Files and passwords share Node's threads, four of them: a disk on which a few files hang would let nobody sign in. Read
// when the first of them is needed.
process.env.UV_THREADPOOL_SIZE ??= '32';
// Some two thousand files are compiled at each start, a second of work; what comes out of that is kept. Where it may not be
// written it is done again, and nobody is told.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)));
