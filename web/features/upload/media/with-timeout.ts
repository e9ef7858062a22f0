/** Rejects if the promise takes longer than this many milliseconds. */
export function withTimeout<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('Took too long.')), milliseconds);
  return Promise.race([promise, late.promise]).finally(() => clearTimeout(timer));
}
