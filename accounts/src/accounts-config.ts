import { z } from 'zod';
import {
  databaseForm,
  databaseUrl,
  readStorage,
  storageVariables,
} from '@jobs-delete/runtime/config/storage-url';
import { described, secret, integer } from '@jobs-delete/runtime/config/variables';
import { addressVariable, isServiceUrl } from '@jobs-delete/runtime/config/addresses';
import { pepperProblem, type PepperSource } from './pepper/load-pepper.ts';

const pepperForm = z.string().min(32, { error: 'must have at least 32 characters' });

/** The variables of a program that reads the accounts; `readAccountsConfig` combines them. */
export const accountsVariables = {
  ...storageVariables,
  ACCOUNTS_DATABASE_URL: secret(
    described(databaseForm.optional(), {
      fallback: 'that of `DATABASE_URL`',
      text: 'database of accounts and rate limits; lets gateways use [their own user](least-privilege.md)',
    }),
  ),
  CREDENTIAL_PEPPER: secret(
    described(pepperForm.optional(), {
      fallback: 'a file in `DATA_DIR`',
      text: 'key of the stored credential hashes, at least 32 characters; required on MongoDB, the same for all gateways',
    }),
  ),
  CREDENTIAL_PEPPER_PREVIOUS: secret(
    pepperForm
      .optional()
      .describe('a second pepper that is accepted during a [rotation](operations.md#replace-the-pepper)'),
  ),
};

type AccountsVariables = z.output<z.ZodObject<typeof accountsVariables>>;

/** Where the accounts are, with the peppers of their credentials. */
export type AccountsConfig = Required<PepperSource>;

export function readAccountsConfig(values: AccountsVariables): {
  readonly accounts: AccountsConfig;
  /** By variable. */
  readonly secrets: Pick<AccountsVariables, 'CREDENTIAL_PEPPER' | 'CREDENTIAL_PEPPER_PREVIOUS'>;
  readonly problems: readonly string[];
} {
  const { ACCOUNTS_DATABASE_URL, CREDENTIAL_PEPPER, CREDENTIAL_PEPPER_PREVIOUS } = values;
  const { dataDir, database } = readStorage(values);
  const accounts = {
    dataDir,
    database: ACCOUNTS_DATABASE_URL === undefined ? database : databaseUrl(ACCOUNTS_DATABASE_URL),
    credentialPepper: CREDENTIAL_PEPPER,
    previousCredentialPepper: CREDENTIAL_PEPPER_PREVIOUS,
  };
  const problem = pepperProblem(accounts);
  const secrets = { CREDENTIAL_PEPPER, CREDENTIAL_PEPPER_PREVIOUS };
  return { accounts, secrets, problems: problem === undefined ? [] : [problem] };
}

/** Where callers reach the API. The gateway serves it, and the pages of the dashboard show it. */
export const apiAddressVariables = {
  HOST: z
    .string()
    .default('127.0.0.1')
    .describe('listen address of the gateway or the dashboard; `0.0.0.0` in the image'),
  PORT: integer(0, 65_535, 8_080).describe('port of the gateway; 0 picks a free one'),
  BASE_PATH: z
    .string()
    .regex(/^(?:\/[A-Za-z0-9._~-]+)*$/, { error: 'must be a path such as /api, without a slash at its end' })
    .default('')
    .describe('prefix of every path, such as `/api`'),
  PUBLIC_URL: addressVariable('must be an address such as https://api.example.com, without BASE_PATH')
    .default('')
    .describe(
      'address of the API for its callers, without `BASE_PATH`, such as `https://api.example.com`; makes the `type` of a problem absolute',
    ),
};

/** Where people reach the dashboard. Its pages and the links of invitations have the same address. */
export const dashboardAddressVariables = {
  DASHBOARD_PORT: integer(0, 65_535, 8_081).describe('port of the dashboard; 0 picks a free one'),
  DASHBOARD_URL: described(
    z
      .string()
      .refine((text) => isServiceUrl(text) && /^https?:\/\/[^\s/?#@\\]+\/?$/.test(text), {
        error: 'must be an address without a path, such as https://dashboard.example.com',
      })
      .transform((url) => url.replace(/\/$/, ''))
      .optional(),
    {
      fallback: '`http://localhost:` and the port',
      text: 'the address that people open, without a path, such as `https://dashboard.example.com`; invitations contain it, and passkeys belong to its host name',
    },
  ),
};

/** Limits of unauthenticated callers, of a gateway and of a dashboard. docs/decisions/unknown-callers.md explains the values. */
export const unauthenticatedLimits = {
  /** See createConnectionLimit. More than a replica serves at its full rate. */
  maxConnections: 10_000,
  /** Limit of each remote network that is no trusted proxy; 0 for no limit. Half: one network cannot keep all of them busy. */
  maxConnectionsPerAddress: 5_000,
  /**
   * Authentications of unknown callers that wait for a permit; 0 for no queue and no limit. At 400 look-ups a second, the last
   * one waits for 2.5 s: less than the answer timeout.
   */
  maxWaitingAuthentications: 1_000,
};

export type UnauthenticatedLimits = Readonly<typeof unauthenticatedLimits>;
