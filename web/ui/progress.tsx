interface ProgressProps {
  /** What is making progress. */
  label: string;
  /** 0 to 1; left out while it cannot be known. */
  value?: number | undefined;
}

export function Progress({ label, value }: ProgressProps) {
  const percent = value === undefined ? undefined : Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="h-2 overflow-hidden rounded-full bg-sunken"
    >
      {percent === undefined ? (
        <div className="shimmer h-full" />
      ) : (
        <div
          className="h-full origin-left rounded-full bg-accent transition-transform duration-200"
          style={{ transform: `scaleX(${percent / 100})` }}
        />
      )}
    </div>
  );
}
