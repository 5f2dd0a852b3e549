import { existsSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isServiceUrl } from '@jobs-delete/runtime/config/addresses';
import { readEnvironment } from '@jobs-delete/runtime/config/read-environment';
import { secret } from '@jobs-delete/runtime/config/variables';
import { parseJson } from '@jobs-delete/runtime/text/safe-text';
import { z } from 'zod';
import type { Io } from '../io.ts';
import { printable } from '../report.ts';
import { wrongUsage } from '../refusal.ts';

/** The address of a service and the credentials of an account. */
export interface Caller {
  readonly baseUrl: string;
  readonly token: string;
  readonly secretKey: string;
  readonly origin: string;
}

/** A caller, and what to call its account. */
export interface NamedCaller extends Caller {
  /** The account of the profile that has the token. Otherwise the public part of the token. */
  readonly accountName: string;
  /** The account of the profile that has the token. */
  readonly accountId: string | undefined;
  /** The public part of the token. */
  readonly tokenId: string | undefined;
}

/** Parts of a caller on the command line. */
export interface CallerOptions extends Partial<Caller> {
  /** A file with the other parts. */
  readonly profile?: string;
  readonly allowHttp?: boolean;
}

export const callerVariables = {
  JOBS_DELETE_BASE_URL: z.string().optional().describe('address of the service'),
  JOBS_DELETE_TOKEN: secret(z.string().optional().describe('API token')),
  JOBS_DELETE_SECRET_KEY: secret(z.string().optional().describe('secret key')),
  JOBS_DELETE_ORIGIN: z.string().optional().describe('an allowed domain of the account'),
};

/** The names of `demo.json`, which is a profile too. */
const profileForm = z.object({
  account_id: z.string().optional(),
  base_url: z.string().optional(),
  token: z.string().optional(),
  secret_key: z.string().optional(),
  origin: z.string().optional(),
});

/**
 * Takes each part from the options, the environment or the profile, in this order. Warns of secrets among the options.
 * @throws Refusal naming everything that is missing, or an unsafe profile
 */
export function readCaller(io: Pick<Io, 'env' | 'stderr'>, options: CallerOptions): NamedCaller {
  const env = readEnvironment(callerVariables, io.env);
  const profile = readProfile(options.profile, io.env);
  if (options.token !== undefined || options.secretKey !== undefined)
    io.stderr.write(
      'Warning: other users of this machine can see --token and --secret-key in the list of processes. ' +
        'Use a profile or environment variables instead.\n',
    );
  const found = {
    baseUrl: options.baseUrl ?? env.JOBS_DELETE_BASE_URL ?? profile.base_url,
    token: options.token ?? env.JOBS_DELETE_TOKEN ?? profile.token,
    secretKey: options.secretKey ?? env.JOBS_DELETE_SECRET_KEY ?? profile.secret_key,
    origin: options.origin ?? env.JOBS_DELETE_ORIGIN ?? profile.origin,
  };
  const problems = places.flatMap((place) => problemWith(place, found[place.part]));
  if (problems.length > 0) throw wrongUsage(problems.join('\n'));
  const { baseUrl = '', token = '', secretKey = '', origin = '' } = found;
  const tokenId = /^jdt_[0-9a-f]{24}(?=_)/.exec(token)?.[0];
  const accountId = token === profile.token ? profile.account_id : undefined;
  const accountName = accountId ?? (tokenId === undefined ? 'of this token' : `of the token ${tokenId}`);
  return { baseUrl, token, secretKey, origin, accountName, accountId, tokenId };
}

/** The option, the variable and the member of a profile have the same name. */
const places = [
  { part: 'baseUrl', name: 'base_url', noun: 'address of the service' },
  { part: 'token', name: 'token', noun: 'API token' },
  { part: 'secretKey', name: 'secret_key', noun: 'secret key' },
  { part: 'origin', name: 'origin', noun: 'allowed domain' },
] as const;

/** Messages never repeat the value: it may be a secret. */
function problemWith({ part, name, noun }: (typeof places)[number], value: string | undefined): string[] {
  if (value === undefined || value === '') {
    const variable = `JOBS_DELETE_${name.toUpperCase()}`;
    const option = `--${name.replace('_', '-')}`;
    return [`The ${noun} is missing. Put "${name}" in a profile, or set ${variable} or ${option}.`];
  }
  if (part === 'baseUrl' && !isServiceUrl(value))
    return [`The ${noun} must be a URL such as https://jobs.example.com, without user, password and query.`];
  if (!/^[\x21-\x7e]+$/.test(value))
    return [`The ${noun} has a space, a line break or another character that a header does not allow.`];
  return [];
}

/** Returns the path of the profile that `readCaller` reads, which may not exist. */
export function profilePath(io: Pick<Io, 'env'>, { profile }: Pick<CallerOptions, 'profile'>): string {
  return profile ?? defaultProfile(io.env);
}

/** Reads this profile, or the default one if it exists. */
function readProfile(named: string | undefined, env: NodeJS.ProcessEnv): z.output<typeof profileForm> {
  const path = named ?? defaultProfile(env);
  if (named === undefined && !existsSync(path)) return {};
  const shown = printable(path);
  let text: string;
  try {
    const isPrivate = process.platform === 'win32' || (statSync(path).mode & 0o077) === 0;
    if (!isPrivate) throw wrongUsage(`Other users can access the profile ${shown}. Run: chmod 600 ${shown}`);
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw wrongUsage(`Cannot read the profile ${shown} (${String(error.code)}).`);
  }
  const parsed = profileForm.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw wrongUsage(
    `The profile ${shown} is not valid. It must be a JSON object with the texts base_url, token, secret_key and origin.`,
  );
}

/** Returns `~/.config/jobs-delete/profile.json`, or the same below XDG_CONFIG_HOME. */
function defaultProfile({ XDG_CONFIG_HOME, HOME }: NodeJS.ProcessEnv): string {
  const folder = XDG_CONFIG_HOME ?? join(HOME ?? homedir(), '.config');
  return join(folder, 'jobs-delete', 'profile.json');
}
