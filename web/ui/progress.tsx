interface ProgressProps {
  /** The accessible name. */
  label: string;
  /** From 0 to 1; undefined while it is unknown. */
  value?: number | undefined;
}

/** A thin bar. The sentence beside it says what it waits for. */
export function Progress({ label, value }: ProgressProps) {
  // Rounded down: 100 % is said when all is done.
  const percent = value === undefined ? undefined : Math.floor(Math.min(1, Math.max(0, value)) * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="h-1 overflow-hidden rounded-full bg-line-strong"
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
  );
}
