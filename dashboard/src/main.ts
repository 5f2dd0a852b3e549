import { printHelp } from '@jobs-delete/runtime/process/print-help';
import { runUntilSignal } from '@jobs-delete/runtime/process/run-until-signal';
import { withServiceContext } from '@jobs-delete/runtime/process/service-context';
import { createLogger } from '@jobs-delete/runtime/telemetry/logger';
import { readDashboardConfig } from './config.ts';
import { startDashboard } from './start-dashboard.ts';

printHelp(`
Usage: node dashboard/dist/main.js

Serves the pages where people manage keys and allowed domains and see deletions. Ends on SIGTERM or SIGINT.

It takes no arguments. These environment variables matter most:
  DASHBOARD_PORT     the port of the pages (8081)
  DASHBOARD_URL      the address that people open, such as https://dashboard.example.com
  PUBLIC_URL         the address of the API, for the commands that the pages show
  ADMIN_PORT         the port for health and metrics (9464)
  DELETER_ADDRESS    the address of the deleter service (127.0.0.1:50051)
  DATABASE_URL       mongodb://… or sqlite:PATH
  CREDENTIAL_PEPPER  the key of the stored credentials
docs/configuration.md lists all of them.`);

await runUntilSignal(
  async () => {
    const config = readDashboardConfig(process.env);
    const log = createLogger(config.logLevel, 'dashboard');
    const dashboard = await withServiceContext(config.operations, log, (context) =>
      startDashboard(config, log, context),
    );
    return { ...dashboard, log };
  },
  ({ log, url, adminPort }) => log.info({ url, adminPort }, 'dashboard is ready'),
);
