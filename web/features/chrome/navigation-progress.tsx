import { useNavigation } from 'react-router';

/** A progress bar at the top while the next page loads. A fast page never shows it. */
export function NavigationProgress() {
  const { state } = useNavigation();
  if (state === 'idle') return null;
  return (
    <div aria-hidden className="navigating">
      <div className="h-full w-1/3 bg-accent" />
    </div>
  );
}
