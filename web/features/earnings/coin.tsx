/** The picture of a coin. It is decorative: the number is beside it. */
export function Coin({ className = 'size-5' }: { className?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 32 32" className={`shrink-0 ${className}`}>
      <title>₹</title>
      <circle cx="16" cy="16" r="15" fill="#f9a100" />
      <circle cx="16" cy="16" r="15" fill="#ffd98a" opacity=".55" clipPath="inset(0 0 50% 0)" />
      <circle cx="16" cy="16" r="11.8" fill="none" stroke="#8a5200" strokeOpacity=".5" strokeWidth="1.4" />
      <path
        d="M10.5 9.5h11M10.5 13.8h11M10.5 9.5h3.3c5.6 0 5.6 8 0 8h-3.3l7.4 6.3"
        fill="none"
        stroke="#5c3600"
        strokeWidth="2.1"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
