/** The maximum of compressed script that a first visit may load, in bytes: Home's is the target; a form adds its library. */
export function scriptBudget(route: string): { all: number; ours: number } {
  if (/^\/\w*Post(ByLink)?$/.test(route)) return { all: 174_000, ours: 58_500 };
  return route === '/' ? { all: 150_000, ours: 45_000 } : { all: 166_500, ours: 55_000 };
}
