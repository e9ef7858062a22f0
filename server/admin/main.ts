import '../boot/node-settings.ts';

// Read and compiled only once `node-settings.ts` has said how: what is imported at the top comes before anything is run.
await import('./run.ts');
