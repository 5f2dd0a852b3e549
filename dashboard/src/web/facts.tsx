import type { ComponentChild } from 'preact';

export type Fact = readonly [term: ComponentChild, fact: ComponentChild];

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

/** A fact of a grid. One that is wide has a row of its own on a phone. */
export type GridFact = readonly [...fact: Fact, isWide?: boolean];

/** Terms above what is known of them, as many in a row as there is room for. One without a fact is left out. */
export function FactGrid({ facts }: { readonly facts: readonly GridFact[] }) {
  return (
    <dl class="facts">
      {facts.map(
        ([term, fact, isWide = false]) =>
          fact && (
            <div class={isWide ? 'wide' : undefined}>
              <dt>{term}</dt>
              <dd>{fact}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
