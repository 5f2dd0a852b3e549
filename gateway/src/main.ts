import { createLogger } from '@jobs-delete/runtime/telemetry/logger';
import { printHelp } from '@jobs-delete/runtime/process/print-help';
import { runUntilSignal } from '@jobs-delete/runtime/process/run-until-signal';
import { withServiceContext } from '@jobs-delete/runtime/process/service-context';
import { readGatewayConfig } from './config.ts';
import { startGateway } from './start-gateway.ts';

printHelp(`
Usage: node gateway/dist/main.js

Serves the public HTTP API and calls the deleter service. Ends on SIGTERM or SIGINT.

It takes no arguments. These environment variables matter most:
  PORT               the port of the public API (8080)
  ADMIN_PORT         the port for health and metrics (9464)
  DELETER_ADDRESS    the address of the deleter service (127.0.0.1:50051)
  DATABASE_URL       mongodb://… or sqlite:PATH
  CREDENTIAL_PEPPER  the key of the stored credentials
docs/configuration.md lists all of them.`);

await runUntilSignal(
  async () => {
    const config = readGatewayConfig(process.env);
    const log = createLogger(config.logLevel, 'gateway');
    const gateway = await withServiceContext(config.operations, log, (context) =>
      startGateway(config, log, context),
    );
    return { ...gateway, log };
  },
  ({ log, port, adminPort }) => log.info({ port, adminPort }, 'gateway is ready'),
);
