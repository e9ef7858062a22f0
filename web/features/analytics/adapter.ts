/** A page analytics service (specification §7). Another service needs another module of this shape. */
export interface Analytics {
  /** Called when a page was opened; the path contains neither query nor ids of people. */
  pageView(path: string): void;
}
