import type { ComponentChild } from 'preact';

interface SegmentsProps {
  /** What the links choose. */
  readonly label: string;
  readonly links: readonly {
    readonly href: string;
    readonly text: ComponentChild;
    readonly isCurrent: boolean;
  }[];
  /** The id of the current link, which names a table. */
  readonly id?: string;
}

/** Links of which one is chosen, such as periods. */
export function Segments({ label, links, id }: SegmentsProps) {
  return (
    <p class="periods" role="group" aria-label={label}>
      {links.map(({ href, text, isCurrent }) => (
        <a href={href} aria-current={isCurrent ? 'true' : undefined} id={isCurrent ? id : undefined}>
          {text}
        </a>
      ))}
    </p>
  );
}
