import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// React decides at its first import whether to include its development checks, which cost a third of a page's time. So this is the first
// import of the program.
process.env.NODE_ENV ??= 'production';
// Files and password hashes share Node's thread pool, by default of four: a disk on which a few operations hang would block all logins.
// Read when the first thread is needed.
process.env.UV_THREADPOOL_SIZE ??= '32';
// Compiling some two thousand files takes a second at each start, so the result is cached. If the cache is not writable, they are silently
// compiled again.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)));
