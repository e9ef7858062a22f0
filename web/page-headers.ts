/** Headers of a page that caches in front of the server may only use after they have asked it again, at each request. */
export const revalidated = () => ({ 'cache-control': 'public, max-age=0, must-revalidate' });
