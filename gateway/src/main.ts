import { createLogger } from '@jobs-delete/runtime/telemetry/logger';
import { runUntilSignal } from '@jobs-delete/runtime/process/run-until-signal';
import { withServiceContext } from '@jobs-delete/runtime/process/service-context';
import { readGatewayConfig } from './config.ts';
import { startGateway } from './start-gateway.ts';

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
