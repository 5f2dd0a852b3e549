import { secret } from '@jobs-delete/runtime/config/variables';
import { z } from 'zod';

/** The secret by which a service proves that it is `caller`. */
export interface ServiceToken {
  readonly caller: string;
  readonly token: string;
}

/** The caller of a token without a name. */
export const defaultCaller = 'gateway';

/** `TOKEN` or `CALLER:TOKEN`, separated by commas. A caller may have several, for rotation. */
export const serviceTokensForm = z
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

/** The file is a variable too, because processes read it again when it changes. */
export const serviceTokensVariables = {
  GRPC_SERVICE_TOKENS: secret(
    serviceTokensForm.describe(
      '`TOKEN` or `CALLER:TOKEN`, separated by commas, at least 32 characters each; a token without a name belongs to `gateway`. Required, unless TLS is set, where `GRPC_HOST` is not a loopback address',
    ),
  ),
  GRPC_SERVICE_TOKENS_FILE: z
    .string()
    .optional()
    .describe(
      'path of a file with `GRPC_SERVICE_TOKENS`, which is read again within seconds after it changes',
    ),
};

const form = /^(?:([A-Za-z0-9][A-Za-z0-9._-]*):)?([\x21-\x7e]{32,})$/;
