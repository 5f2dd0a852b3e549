import { createLogger } from '@jobs-delete/runtime/logger';
import { runUntilSignal } from '@jobs-delete/runtime/run-until-signal';
import { withVitals } from '@jobs-delete/runtime/vitals';
import { readGatewayConfig } from './config.ts';
import { startGateway } from './start-gateway.ts';

await runUntilSignal(
  async () => {
    const config = readGatewayConfig(process.env);
    const log = createLogger(config.logLevel, 'gateway');
    const gateway = await withVitals(config.operations, log, (vitals) => startGateway(config, log, vitals));
    return { ...gateway, log };
  },
  ({ log, port, adminPort }) => log.info({ port, adminPort }, 'gateway is ready'),
);
