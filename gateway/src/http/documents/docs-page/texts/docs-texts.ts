import type { Language } from '../../../../messages/messages.ts';
import type { RequestHeader, ResponseHeader } from '../../../header-names.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';

/** The texts of the documentation page. Backticks enclose code. */
export interface DocsTexts {
  readonly title: string;
  readonly introduction: string;
  readonly contents: string;
  readonly languages: string;
  readonly start: {
    readonly heading: string;
    readonly credentials: string;
    readonly environment: string;
    readonly sandbox: string;
    readonly answer: string;
    readonly live: string;
    readonly demo: string;
  };
  readonly examples: {
    readonly heading: string;
    readonly introduction: string;
    readonly language: string;
    readonly format: string;
    /** Before the command that runs the example. */
    readonly run: string;
    readonly copy: string;
    readonly copied: string;
  };
  readonly sandbox: {
    readonly heading: string;
    readonly introduction: string;
    readonly memory: string;
    readonly origin: string;
    readonly needsScript: string;
    readonly format: string;
    readonly token: string;
    readonly secretKey: string;
    readonly jobIds: string;
    readonly jobIdsHint: string;
    readonly send: string;
    readonly sending: string;
    readonly answer: string;
    readonly noAnswer: string;
  };
  readonly reference: {
    readonly heading: string;
    readonly introduction: string;
    readonly deletion: string;
    readonly deletionPaths: string;
    readonly live: string;
    readonly checksOnly: string;
    readonly path: string;
    readonly effect: string;
    readonly requestHeaders: string;
    readonly optional: string;
    readonly body: string;
    readonly bodyRules: string;
    readonly answer: string;
    readonly answerRules: string;
    readonly answerHeaders: string;
    readonly status: string;
    readonly statusRules: string;
    readonly waitRules: string;
    readonly refusals: string;
    readonly refusalRules: string;
    readonly code: string;
    readonly statusCode: string;
    readonly meaning: string;
  };
  readonly requestHeaders: Readonly<Record<RequestHeader, string>>;
  readonly answerHeaders: Readonly<Record<ResponseHeader, string>>;
}

export const docsTexts: Readonly<Record<Language, DocsTexts>> = { fr, en, es };
