import type { ComponentChild } from 'preact';

export type Fact = readonly [term: string, fact: ComponentChild];

/** Terms, each with what is known of it. One without a fact is left out. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl>
      {facts.map(
        ([term, fact]) =>
          fact && (
            <>
              <dt>{term}</dt>
              <dd>{fact}</dd>
            </>
          ),
      )}
    </dl>
  );
}
