import { useText } from '#web/text.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** The four placeholders of specification §9, in the grid of the posts. */
export function PostsLoading({ className }: { className: string }) {
  const text = useText();
  return (
    <div role="status" aria-label={text('posts.loading')} className={className}>
      {[1, 2, 3, 4].map((place) => (
        <div key={place} className="overflow-hidden rounded-panel border border-line bg-surface">
          <div className="flex items-center gap-3 px-4 py-3">
            <Skeleton className="size-11 rounded-full" />
            <Skeleton className="h-4 w-32" />
          </div>
          <Skeleton className="aspect-4/5 rounded-none" />
          <div className="grid gap-2.5 px-4 pb-5 pt-4">
            <Skeleton className="h-4 w-20" />
            <Skeleton className="h-5 w-3/4" />
          </div>
        </div>
      ))}
    </div>
  );
}
