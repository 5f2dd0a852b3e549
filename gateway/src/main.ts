import { createLogger } from '@jobs-delete/runtime/logger';
import { runUntilSignal } from '@jobs-delete/runtime/run-until-signal';
import { readGatewayConfig } from './config.ts';
import { startGateway } from './start-gateway.ts';

await runUntilSignal(
  async () => {
    const config = readGatewayConfig(process.env);
    const log = createLogger(config.logLevel, 'gateway');
    return { ...(await startGateway(config, log)), log };
  },
  ({ log, port }) => log.info({ port }, 'gateway is ready'),
);
