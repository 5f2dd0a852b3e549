import type { Language } from '../../../messages/messages.ts';
import type { DocumentSettings } from '../public-document.ts';
import type { DocsTexts } from './texts/docs-texts.ts';

/** Input of every part of the page. */
export interface DocsContext {
  readonly language: Language;
  readonly texts: DocsTexts;
  readonly settings: DocumentSettings;
  /** The path from the page to the API. It is relative: a proxy may change the prefix. */
  readonly root: string;
}
