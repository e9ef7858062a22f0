/** The maximum of compressed script that a first visit may load, in bytes: Home's is the target; a form adds its library. */
export function scriptBudget(route: string): { all: number; ours: number } {
  if (/^\/\w*Post(ByLink)?$/.test(route)) return { all: 185_000, ours: 61_500 };
  return route === '/' ? { all: 161_000, ours: 50_000 } : { all: 176_500, ours: 58_000 };
}
