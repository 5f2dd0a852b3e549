import { dashboardVariables } from '@jobs-delete/dashboard/config';
import { deleterVariables } from '@jobs-delete/deleter-service/config';
import { gatewayVariables } from '@jobs-delete/gateway/config';
import type { Variables } from '@jobs-delete/runtime/config/variables';
import { callerVariables } from './delete/read-caller.ts';
import {
  jobsMappingVariables,
  readJobsMapping,
  type JobsMapping,
} from '@jobs-delete/deleter-service/store/jobs-mapping';
import {
  accountsVariables,
  dashboardAddressVariables,
  readAccountsConfig,
  type AccountsConfig,
} from '@jobs-delete/accounts/accounts-config';
import { readEnvironment } from '@jobs-delete/runtime/config/read-environment';
import { readStorage, type Storage } from '@jobs-delete/runtime/config/storage-url';

/** Environment variables of every command except `serve`. */
export interface CliConfig extends Storage {
  readonly accounts: AccountsConfig;
  readonly jobsMapping: JobsMapping;
  /**
   * The address of the dashboard for the links of invitations, without a final slash. Undefined: `serve` picks its port.
   */
  readonly dashboardUrl: string | undefined;
}

export const cliVariables = {
  ...accountsVariables,
  ...jobsMappingVariables,
  ...dashboardAddressVariables,
};

/** The variables of `jobs-delete serve`. */
export const serveVariables = { ...gatewayVariables, ...deleterVariables, ...dashboardVariables };

/** The variables of each program. */
export const programVariables = {
  gateway: gatewayVariables,
  deleter: deleterVariables,
  dashboard: dashboardVariables,
  command: cliVariables,
  'command `delete`': callerVariables,
} satisfies Readonly<Record<string, Variables>>;

/** @throws ConfigurationError naming every invalid variable */
export function readCliConfig(env: NodeJS.ProcessEnv): CliConfig {
  const values = readEnvironment(cliVariables, env);
  const { DASHBOARD_URL, DASHBOARD_PORT: port } = values;
  return Object.freeze({
    ...readStorage(values),
    // Only the commands that need a pepper say what is wrong with it.
    accounts: readAccountsConfig(values).accounts,
    jobsMapping: readJobsMapping(values),
    dashboardUrl: DASHBOARD_URL ?? (port === 0 ? undefined : `http://localhost:${String(port)}`),
  });
}
