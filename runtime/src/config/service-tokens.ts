import { z } from 'zod';

/** The secret by which a service proves that it is `caller`. */
export interface ServiceToken {
  readonly caller: string;
  readonly token: string;
}

/** The caller of a token without a name. */
export const defaultCaller = 'gateway';

/** `TOKEN` or `CALLER:TOKEN`, separated by commas. A caller may have several, for rotation. */
export const serviceTokensVariable = z
  .string()
  .transform((text, context): readonly ServiceToken[] => {
    const tokens: ServiceToken[] = [];
    for (const entry of text.split(',')) {
      const [, caller = defaultCaller, token] = form.exec(entry.trim()) ?? [];
      if (token === undefined) {
        const message =
          'must be TOKEN or CALLER:TOKEN, separated by commas; each token has at least 32 printable characters';
        context.addIssue({ code: 'custom', message });
        return z.NEVER;
      }
      tokens.push({ caller, token });
    }
    if (new Set(tokens.map(({ token }) => token)).size < tokens.length)
      context.addIssue({ code: 'custom', message: 'must not repeat a token' });
    return tokens;
  })
  .default([]);

const form = /^(?:([A-Za-z0-9][A-Za-z0-9._-]*):)?([\x21-\x7e]{32,})$/;
