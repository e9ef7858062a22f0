import '../production.ts';

// Read and compiled only once `production.ts` has said how: what is imported at the top comes before anything is run.
await import('./run.ts');
