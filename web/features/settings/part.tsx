import type { ReactNode } from 'react';

/** A section of the settings. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-4 rounded-panel border border-line bg-surface p-5 text-pretty sm:p-6">
      <h2 className="text-xl">{title}</h2>
      {children}
    </section>
  );
}
