import { dashboardVariables } from '@jobs-delete/dashboard/config';
import { deleterVariables } from '@jobs-delete/deleter-service/config';
import { gatewayVariables } from '@jobs-delete/gateway/config';
import type { Variables } from '@jobs-delete/runtime/config/variables';
import { cliVariables } from './config.ts';
import { callerVariables } from './delete/read-caller.ts';

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
