import type { Language } from '../../../messages/messages.ts';
import type { DocumentSettings } from '../public-document.ts';
import type { DocsTexts } from './texts/docs-texts.ts';

/** Input of every part of the page. */
export interface DocsContext {
  readonly language: Language;
  readonly texts: DocsTexts;
  readonly settings: DocumentSettings;
  /** The relative path from the page to the API. A link works behind every proxy with it. */
  readonly root: string;
}
