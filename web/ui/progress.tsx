interface ProgressProps {
  /** The accessible name. */
  label: string;
  /** From 0 to 1; undefined while it is unknown. */
  value?: number | undefined;
  /** The text beside the bar, such as "42 %". */
  figure?: string | undefined;
}

export function Progress({ label, value, figure }: ProgressProps) {
  // Rounded down, like the figure beside it: 100 % is said when all is done.
  const percent = value === undefined ? undefined : Math.floor(Math.min(1, Math.max(0, value)) * 100);
  return (
    <div className="flex items-center gap-3">
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className="h-2 min-w-0 flex-1 overflow-hidden rounded-full border border-line-strong bg-surface"
      >
        {percent === undefined ? (
          <div className="waiting h-full w-1/3 rounded-full bg-accent" />
        ) : (
          <div
            className="h-full origin-left rounded-full bg-accent transition-transform duration-200"
            style={{ transform: `scaleX(${percent / 100})` }}
          />
        )}
      </div>
      {figure && (
        <span aria-hidden className="figures min-w-[4ch] text-right font-semibold">
          {figure}
        </span>
      )}
    </div>
  );
}
