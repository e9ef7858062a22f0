import { useText } from '#web/text.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { CategoryControl } from './category-control.tsx';

interface CategoryCardProps {
  name: string;
  image: string;
  count: number;
}

/** A category with its picture and its number of reels; quieter if it has none. */
export function CategoryCard({ name, image, count }: CategoryCardProps) {
  const text = useText();
  return (
    <CategoryControl
      name={name}
      className={classNames(
        'group flex h-full w-full items-center gap-2.5 sm:gap-3 rounded-panel border p-2.5 text-left transition-[border-color,transform] duration-150 hover:border-line-strong active:scale-[0.98] max-[24rem]:flex-col max-[24rem]:items-start',
        count > 0 ? 'border-line bg-surface' : 'border-transparent text-soft',
      )}
    >
      <img
        src={image}
        alt=""
        width={160}
        height={160}
        className={classNames(
          'size-12 rounded-control transition-transform duration-300 group-hover:scale-105',
          count > 0 && 'sm:size-16',
        )}
      />
      <span className="min-w-0">
        <span className={classNames('block leading-tight', count > 0 && 'font-semibold')}>{name}</span>
        <span className="figures block pt-0.5 text-[0.9375rem] text-soft">
          {text('category.count', { count })}
        </span>
      </span>
    </CategoryControl>
  );
}
