import { z } from 'zod';
import {
  defaultCaller,
  serviceTokensVariables,
  watchServiceTokens,
  type ServiceToken,
  type WatchTokensOptions,
} from '@jobs-delete/proto/service-tokens';
import { described } from '@jobs-delete/runtime/config/variables';

/**
 * For all accounts. `read`: deletions and rules. `manage`: also cancel, and change rules. `delete`: also cancel, and delete.
 * `manage-and-delete`: for a dashboard where people delete jobs.
 */
export const callerRoles = ['read', 'manage', 'delete', 'manage-and-delete'] as const;
export type CallerRole = (typeof callerRoles)[number];

/** The known callers. A caller without a role may call nothing. */
export interface Callers {
  readonly tokens: readonly ServiceToken[];
  /** A file of further tokens, which is read again when it changes. */
  readonly tokensFile?: { readonly path: string; readonly first: readonly ServiceToken[] };
  /** By the name of a service token, or a DNS name or URI of a client certificate. */
  readonly roles: ReadonlyMap<string, CallerRole>;
}

const callerForm = /^[A-Za-z0-9][A-Za-z0-9._:/-]*$/;

/** `readCallers` puts them together. */
export const callersVariables = {
  ...serviceTokensVariables,
  GRPC_CALLERS: described(
    z
      .string()
      .transform((text, context) => {
        const roles = new Map<string, CallerRole>();
        for (const [index, part] of text.split(',').entries()) {
          const entry = part.trim();
          const at = entry.lastIndexOf('=');
          const name = entry.slice(0, at);
          const role = callerRoles.find((candidate) => candidate === entry.slice(at + 1));
          if (role === undefined || !callerForm.test(name) || roles.has(name)) {
            const form = `must be CALLER=${callerRoles.join('|')}, each caller once, with commas between them`;
            // Leaves out the value: it may be a token that was put into the wrong variable.
            context.addIssue({ code: 'custom', message: `${form}; entry ${index + 1} is not` });
            return z.NEVER;
          }
          roles.set(name, role);
        }
        return roles;
      })
      .optional(),
    {
      fallback: '`gateway=delete`',
      text: 'rights of each caller, for all accounts: `delete`, `manage` for a dashboard (`manage-and-delete` with `DASHBOARD_DELETES`), or only `read` (`gateway=delete,dashboard=manage`)',
    },
  ),
};

/** @returns undefined if callers need no token and no certificate */
export function readCallers(
  values: z.output<z.ZodObject<typeof callersVariables>>,
  { withCertificates }: { readonly withCertificates: boolean },
): { readonly callers: Callers | undefined; readonly problems: readonly string[] } {
  const { GRPC_SERVICE_TOKENS: tokens, GRPC_SERVICE_TOKENS_FILE: path, GRPC_CALLERS: roles } = values;
  const problems: string[] = [];
  // A service with any certificate of the same authority must not get this role by its name.
  if (withCertificates && roles === undefined)
    problems.push('GRPC_CALLERS: must be set where GRPC_TLS_CA is: it says what each certificate allows');
  const named = roles ?? new Map([[defaultCaller, 'delete' as const]]);
  const known = new Set(tokens.map(({ caller }) => caller));
  for (const caller of known)
    if (!named.has(caller))
      problems.push(`GRPC_CALLERS: must name a role for ${caller}, who has a token in GRPC_SERVICE_TOKENS`);
  if (!withCertificates)
    for (const caller of roles?.keys() ?? [])
      if (!known.has(caller))
        problems.push(`GRPC_SERVICE_TOKENS: must have a token for ${caller}, who is in GRPC_CALLERS`);
  const isOpen = !withCertificates && tokens.length === 0;
  if (isOpen) return { callers: undefined, problems };
  const sources = path === undefined ? { tokens } : { tokens: [], tokensFile: { path, first: tokens } };
  return { callers: { ...sources, roles: named }, problems };
}

export interface FollowedCallers {
  readonly callers: Callers;
  readonly stop: () => void;
}

/** Returns callers whose `tokens` change with their file. The roles stay as they are. */
export function followTokensFile(callers: Callers, options: WatchTokensOptions): FollowedCallers {
  const { tokens, tokensFile, roles } = callers;
  if (tokensFile === undefined) return { callers, stop: () => undefined };
  const { current, stop } = watchServiceTokens(tokensFile.path, tokensFile.first, options);
  const followed = {
    roles,
    get tokens() {
      // `serve` also gives its gateway and its dashboard tokens, which no file has.
      return [...tokens, ...current()];
    },
  };
  return { callers: followed, stop };
}
