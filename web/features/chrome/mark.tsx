import { useId } from 'react';

/** The logo: light through the gap of a door. The same drawing as `public/icon.svg`. */
export function Mark({ className = 'size-8' }: { className?: string }) {
  const id = useId();
  return (
    <svg aria-hidden="true" viewBox="0 0 64 64" className={className}>
      <defs>
        <clipPath id={`${id}c`}>
          <rect width="64" height="64" rx="17" />
        </clipPath>
        <linearGradient id={`${id}g`} x1="0" y1="0" x2="0" y2="1">
          <stop stopColor="#ffd27a" />
          <stop offset="1" stopColor="#f9a100" />
        </linearGradient>
      </defs>
      <g clipPath={`url(#${id}c)`}>
        <path fill="#251c62" d="M0 0h64v64H0z" />
        <path fill="#7664e8" fillOpacity=".42" d="M8 0h22L12 64H-10z" />
        <path fill={`url(#${id}g)`} d="M34 0h14L30 64H16z" />
        <path fill="#ffd27a" fillOpacity=".5" d="M52.5 0h4.5L39 64h-4.5z" />
      </g>
    </svg>
  );
}

/** Logo and name side by side. */
export function Logo() {
  return (
    <span className="flex items-center gap-2.5">
      <Mark className="size-9" />
      <span className="pt-1 max-[22rem]:hidden text-[1.625rem] font-extrabold leading-none tracking-[-0.025em]">
        Jhalak
      </span>
    </span>
  );
}
