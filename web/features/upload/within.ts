/** What is promised, or an error when it takes longer than so many milliseconds. */
export function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('Took too long.')), milliseconds);
  return Promise.race([promise, late.promise]).finally(() => clearTimeout(timer));
}
