import type { ComponentChild } from 'preact';

export type Fact = readonly [term: ComponentChild, fact: ComponentChild];

interface FactsProps<Each> {
  /** Those without a fact are left out. Without any, nothing is shown. */
  readonly facts: readonly Each[];
}

/** Terms, each beside what is known of it. */
export function Facts({ facts }: FactsProps<Fact>) {
  const known = facts.filter(([, fact]) => fact);
  if (known.length === 0) return null;
  return (
    <dl>
      {known.map(([term, fact]) => (
        <>
          <dt>{term}</dt>
          <dd>{fact}</dd>
        </>
      ))}
    </dl>
  );
}

/** A fact of a grid. One that is wide has a row of its own on a phone. */
export type GridFact = readonly [...fact: Fact, isWide?: boolean];

/** Terms, each above what is known of it, as many in a row as there is room for. */
export function FactGrid({ facts }: FactsProps<GridFact>) {
  const known = facts.filter(([, fact]) => fact);
  if (known.length === 0) return null;
  return (
    <dl class="facts">
      {known.map(([term, fact, isWide = false]) => (
        <div class={isWide ? 'wide' : undefined}>
          <dt>{term}</dt>
          <dd>{fact}</dd>
        </div>
      ))}
    </dl>
  );
}
