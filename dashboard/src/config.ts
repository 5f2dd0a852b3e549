import { isIP } from 'node:net';
import {
  apiAddressVariables,
  dashboardAddressVariables,
  unauthenticatedLimits,
  type UnauthenticatedLimits,
  accountsVariables,
  readAccountsConfig,
  type AccountsConfig,
} from '@jobs-delete/accounts/accounts-config';
import { addressVariable } from '@jobs-delete/runtime/config/addresses';
import {
  operationsVariables,
  readOperations,
  type LogLevel,
  type OperationsConfig,
} from '@jobs-delete/runtime/config/operations-config';
import { readEnvironment } from '@jobs-delete/runtime/config/read-environment';
import { described } from '@jobs-delete/runtime/config/variables';
import { trialSecretProblems, trialSecretsVariables } from '@jobs-delete/runtime/config/secrets';
import {
  deleterAccessVariables,
  readDeleterAccess,
  type DeleterAccess,
} from '@jobs-delete/proto/service-tokens';
import { trustProxyVariables, type TrustProxy } from '@jobs-delete/runtime/net/remote-address';
import { ConfigurationError } from '@jobs-delete/runtime/startup-error';
import { z } from 'zod';
import { openIdVariables, readOpenId, type OpenIdSettings } from './sign-in/openid/openid-settings.ts';

/** The service token belongs to a caller with the role `manage`, or `manage-and-delete` if people delete jobs. */
export interface DashboardConfig extends AccountsConfig, DeleterAccess, UnauthenticatedLimits {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** The address of the dashboard without a final slash. Undefined: `http://localhost:PORT`. */
  readonly publicUrl: string | undefined;
  /** The address of the API, with its base path and without a final slash. */
  readonly apiUrl: string;
  /** Where the dashboard itself reaches the API, in the same form. Undefined: at `apiUrl`. */
  readonly internalApiUrl: string | undefined;
  /** People delete jobs here. Undefined: only in a demo. */
  readonly deletes: boolean | undefined;
  /** Developers see every component on the page `/design`. No variable sets it: only `serve --demo` does. */
  readonly design?: boolean;
  /** Undefined: people sign in with passkeys. Otherwise, at this provider only. */
  readonly openId: OpenIdSettings | undefined;
  readonly trustProxy: TrustProxy;
  readonly shutdownTimeoutMs: number;
  readonly operations: OperationsConfig;
  readonly logLevel: LogLevel;
}

export const dashboardVariables = {
  ...dashboardAddressVariables,
  DASHBOARD_API_URL: described(addressVariable('must be an address such as http://gateway:8080').optional(), {
    fallback: '`PUBLIC_URL`',
    text: 'the address where the dashboard itself reaches the API, without `BASE_PATH`, such as `http://gateway:8080`; it sends the requests of its sandbox page there',
  }),
  DASHBOARD_DELETES: described(z.enum(['on', 'off']).optional(), {
    fallback: '`off`, `on` with `serve --demo`',
    text: '`on`: managers and owners [delete jobs](dashboard.md#delete-jobs) there; the dashboard needs the right `manage-and-delete` in `GRPC_CALLERS`',
  }),
  ...openIdVariables,
  ...apiAddressVariables,
  ...accountsVariables,
  ...trialSecretsVariables,
  ...deleterAccessVariables,
  ...trustProxyVariables,
  ...operationsVariables,
};

function isAddress(url: string): boolean {
  const { hostname } = new URL(url);
  return isIP(hostname) !== 0 || hostname.startsWith('[');
}

/** @throws ConfigurationError naming every wrong variable */
export function readDashboardConfig(env: NodeJS.ProcessEnv): DashboardConfig {
  const values = readEnvironment(dashboardVariables, env);
  const { accounts, ...ofAccounts } = readAccountsConfig(values);
  const { access, problems: accessProblems } = readDeleterAccess(values);
  const openId = readOpenId(values);
  const secrets = {
    ...ofAccounts.secrets,
    GRPC_SERVICE_TOKENS: access.serviceToken,
    OPENID_CLIENT_SECRET: values.OPENID_CLIENT_SECRET,
  };
  const problems = [
    ...accessProblems,
    ...trialSecretProblems(values, secrets),
    ...(typeof openId === 'string' ? [openId] : []),
    ...(openId === undefined && values.DASHBOARD_URL !== undefined && isAddress(values.DASHBOARD_URL)
      ? ['DASHBOARD_URL: needs a host name, because passkeys do not work with an IP address']
      : []),
    ...ofAccounts.problems,
  ];
  if (problems.length > 0) throw new ConfigurationError(problems);
  return Object.freeze({
    host: values.HOST,
    port: values.DASHBOARD_PORT,
    publicUrl: values.DASHBOARD_URL,
    apiUrl: `${values.PUBLIC_URL || `http://127.0.0.1:${String(values.PORT)}`}${values.BASE_PATH}`,
    internalApiUrl: values.DASHBOARD_API_URL && values.DASHBOARD_API_URL + values.BASE_PATH,
    deletes: values.DASHBOARD_DELETES && values.DASHBOARD_DELETES === 'on',
    ...accounts,
    ...access,
    openId: typeof openId === 'string' ? undefined : openId,
    ...unauthenticatedLimits,
    trustProxy: values.TRUST_PROXY,
    ...readOperations(values),
    logLevel: values.LOG_LEVEL,
  });
}
