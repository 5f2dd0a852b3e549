import { z } from 'zod';

/** What a service proves by that it is `caller`. */
export interface ServiceToken {
  readonly caller: string;
  readonly token: string;
}

/** Whose a token is that has no name before it. */
export const defaultCaller = 'gateway';

/** `TOKEN` or `CALLER:TOKEN`, with commas between them; several of one caller, so that a token can be replaced. */
export const serviceTokensVariable = z
  .string()
  .transform((text, context): readonly ServiceToken[] => {
    const tokens: ServiceToken[] = [];
    for (const entry of text.split(',')) {
      const [, caller = defaultCaller, token] = form.exec(entry.trim()) ?? [];
      if (token === undefined) {
        const message =
          'must be TOKEN or CALLER:TOKEN, of at least 32 printable characters each, with commas between them';
        context.addIssue({ code: 'custom', message });
        return z.NEVER;
      }
      tokens.push({ caller, token });
    }
    if (new Set(tokens.map(({ token }) => token)).size < tokens.length)
      context.addIssue({ code: 'custom', message: 'must be tokens that differ' });
    return tokens;
  })
  .default([]);

const form = /^(?:([A-Za-z0-9][A-Za-z0-9._-]*):)?([\x21-\x7e]{32,})$/;
