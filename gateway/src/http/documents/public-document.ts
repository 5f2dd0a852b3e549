import { createHash } from 'node:crypto';
import type { Language } from '../../messages/messages.ts';

/** A document that needs no credentials. */
export interface PublicDocument {
  /** Without the base path. */
  readonly path: string;
  /** The only language of the document. Default: every language. */
  readonly language?: Language;
  render(language: Language): RenderedDocument;
}

export interface RenderedDocument {
  readonly mediaType: string;
  readonly body: string;
  readonly language: Language;
  /** Lets a caller keep the document and check whether it has changed. Default: no cache may keep it. */
  readonly etag?: string;
  /** Default: the policy of every other answer, which allows nothing. */
  readonly contentSecurityPolicy?: string;
}

/** The settings of the gateway that a document may state. */
export interface DocumentSettings {
  /** Empty, or a path such as `/api`. */
  readonly basePath: string;
  /** The address of the API without the base path, such as `https://api.example.com`. Empty if unknown. */
  readonly publicUrl: string;
  /** Lets pages of other origins call the API. Default: false. */
  readonly cors?: boolean;
  readonly maxJobsPerRequest: number;
  readonly maxBodyBytes: number;
}

/** Returns the start of the `type` of every problem, with its final slash. */
export function typeBaseOf({ publicUrl, basePath }: DocumentSettings): string {
  return `${publicUrl}${basePath}/problems/`;
}

/** Returns the `etag` of a body. */
export function etagOf(body: string): string {
  return `"${createHash('sha256').update(body).digest('base64url')}"`;
}
