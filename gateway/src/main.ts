import { warnOfUnknownVariables } from '@jobs-delete/runtime/config/variables';
import { createLogger } from '@jobs-delete/runtime/telemetry/logger';
import { printHelp, runUntilSignal } from '@jobs-delete/runtime/process/run-service';
import { withServiceContext } from '@jobs-delete/runtime/process/service-context';
import { gatewayVariables, readGatewayConfig } from './config.ts';
import { startGateway } from './start-gateway.ts';

printHelp(
  `
Usage: node gateway/dist/main.js

Serves the public HTTP API and calls the deleter service. Ends on SIGTERM or SIGINT.`,
  gatewayVariables,
);

await runUntilSignal(
  async () => {
    const config = readGatewayConfig(process.env);
    const log = createLogger(config.logLevel, 'gateway');
    warnOfUnknownVariables(process.env, gatewayVariables, log);
    const gateway = await withServiceContext(config.operations, log, (context) =>
      startGateway(config, log, context),
    );
    return { ...gateway, log };
  },
  ({ log, port, adminPort }) => log.info({ port, adminPort }, 'gateway is ready'),
);
