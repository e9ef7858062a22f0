/** The address of the page of a reel or a photo; a story has none. */
export const pageOf = (kind: 'reel' | 'post' | 'story', id: string): string | undefined =>
  ({ reel: `/videoplayer?reel=${id}`, post: `/post/${id}`, story: undefined })[kind];
