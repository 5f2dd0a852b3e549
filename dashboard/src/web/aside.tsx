import type { ComponentChildren } from 'preact';
import type { Language } from './language.ts';
import { layoutTexts } from './layout-texts.ts';

export interface Aside {
  readonly title: string;
  readonly content: ComponentChildren;
}

/** Returns the guide of a form: what happens after it. */
export function whatNext(language: Language, steps: readonly string[]): Aside {
  return { title: layoutTexts[language].next, content: <StepList steps={steps} /> };
}

/** What happens, one thing after the other. */
export function StepList({ steps }: { readonly steps: readonly string[] }) {
  return (
    <ol>
      {steps.map((step) => (
        <li>{step}</li>
      ))}
    </ol>
  );
}

/** Returns the facts of the thing that a page or a form is about. */
export function details(language: Language, content: ComponentChildren): Aside {
  return { title: layoutTexts[language].details, content };
}

interface WithAsideProps {
  readonly aside: Aside;
  /** Stands above the content on a narrow screen. */
  readonly isFirst?: boolean;
  readonly children: ComponentChildren;
}

/** A form, or what else a page is for, with a card that explains it: at its right, or above or below it on a narrow screen. */
export function WithAside({ aside: { title, content }, isFirst = false, children }: WithAsideProps) {
  const card = (
    <section class="card beside">
      <h2>{title}</h2>
      {content}
    </section>
  );
  return (
    <div class="sides">
      {isFirst && card}
      {children}
      {!isFirst && card}
    </div>
  );
}
