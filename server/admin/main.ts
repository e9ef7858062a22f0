import '../boot/node-settings.ts';

// Imported dynamically, after `node-settings.ts` has run: static imports would be evaluated first.
await import('./run.ts');
