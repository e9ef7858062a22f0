import { useText } from '#web/text.tsx';

interface CategoryCardProps {
  name: string;
  image: string;
  count: number;
  onOpen: () => void;
}

/** A category with its picture and its number of reels. */
export function CategoryCard({ name, image, count, onOpen }: CategoryCardProps) {
  const text = useText();
  return (
    <button
      type="button"
      onClick={onOpen}
      className="group flex h-full w-full items-center gap-2.5 sm:gap-3 rounded-panel border border-line bg-surface p-2.5 text-left transition-[border-color,transform] duration-150 hover:border-line-strong active:scale-[0.98] max-[24rem]:flex-col max-[24rem]:items-start"
    >
      <img
        src={image}
        alt=""
        width={160}
        height={160}
        className="size-12 rounded-control transition-transform duration-300 group-hover:scale-105 sm:size-16"
      />
      <span className="min-w-0">
        <span className="block font-semibold leading-tight">{name}</span>
        <span className="figures block pt-0.5 text-[0.9375rem] text-soft">
          {text('category.count', { count })}
        </span>
      </span>
    </button>
  );
}
