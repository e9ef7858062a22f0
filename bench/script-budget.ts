/** How much compressed script a first visit may load, in bytes: Home's is the reach, a form brings its library along. */
export function scriptBudget(route: string): { all: number; ours: number } {
  if (/^\/\w*Post(ByLink)?$/.test(route)) return { all: 185_000, ours: 60_000 };
  return route === '/' ? { all: 160_000, ours: 49_000 } : { all: 175_000, ours: 56_000 };
}
