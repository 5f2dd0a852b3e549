import type { pathsOf } from './places.ts';

interface PlaceLinksProps {
  readonly to: ReturnType<typeof pathsOf>;
  readonly texts: Readonly<Record<'first' | 'previous' | 'next', string>>;
}

/** Links to the other pages of a list, if there are any. */
export function PlaceLinks({ to, texts }: PlaceLinksProps) {
  if (!to.first && !to.next) return null;
  return (
    <p class="inline">
      {to.first && <a href={to.first}>{texts.first}</a>}
      {to.previous && <a href={to.previous}>{texts.previous}</a>}
      {to.next && <a href={to.next}>{texts.next}</a>}
    </p>
  );
}
