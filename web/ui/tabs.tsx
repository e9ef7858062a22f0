import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';

interface TabsProps<Id extends string> {
  /** What the tabs are about, for screen readers. */
  label: string;
  value: Id;
  onChange: (id: Id) => void;
  items: { id: Id; label: ReactNode; content: ReactNode }[];
}

export function Tabs<Id extends string>({ label, value, onChange, items }: TabsProps<Id>) {
  return (
    <Base.Root value={value} onValueChange={(id) => onChange(id as Id)}>
      <Base.List aria-label={label} className="relative flex gap-1 border-b border-line">
        {items.map((item) => (
          <Base.Tab
            key={item.id}
            value={item.id}
            className="min-h-12 px-4 pt-0.5 font-semibold text-soft hover:text-text data-[active]:text-text"
          >
            {item.label}
          </Base.Tab>
        ))}
        <Base.Indicator className="absolute bottom-0 left-0 h-[3px] w-(--active-tab-width) translate-x-(--active-tab-left) bg-accent transition-[translate,width] duration-200" />
      </Base.List>
      {items.map((item) => (
        <Base.Panel key={item.id} value={item.id} className="pt-5">
          {item.content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
