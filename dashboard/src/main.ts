import { warnOfUnknownVariables } from '@jobs-delete/runtime/config/variables';
import { printHelp, runUntilSignal } from '@jobs-delete/runtime/process/run-service';
import { withServiceContext } from '@jobs-delete/runtime/process/service-context';
import { createLogger } from '@jobs-delete/runtime/telemetry/logger';
import { dashboardVariables, readDashboardConfig } from './config.ts';
import { startDashboard } from './start-dashboard.ts';

printHelp(
  `
Usage: node dashboard/dist/main.js

Serves the pages where people manage keys and allowed domains and see deletions. Ends on SIGTERM or SIGINT.`,
  dashboardVariables,
);

await runUntilSignal(
  async () => {
    const config = readDashboardConfig(process.env);
    const log = createLogger(config.logLevel, 'dashboard');
    warnOfUnknownVariables(process.env, dashboardVariables, log);
    const dashboard = await withServiceContext(config.operations, log, (context) =>
      startDashboard(config, log, context),
    );
    return { ...dashboard, log };
  },
  ({ log, url, adminPort }) => log.info({ url, adminPort }, 'dashboard is ready'),
);
