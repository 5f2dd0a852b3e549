import { en } from './explanations/en.ts';
import { es } from './explanations/es.ts';
import { fr } from './explanations/fr.ts';
import type { Language, ProblemCode } from './messages.ts';

/** Explains a problem to a person. Values and names are between backticks; there is no other markup. */
export interface Explanation {
  readonly meaning: string;
  readonly remedy: string;
}

const explanations: Record<Language, Record<ProblemCode, Explanation>> = { fr, en, es };

export function explanationOf(language: Language, code: ProblemCode): Explanation {
  return explanations[language][code];
}
