/** A page-analytics service (specification §7). Another one is another module with this shape. */
export interface Analytics {
  /** A page was opened; its address is without query and without anybody's id. */
  pageView(path: string): void;
}
