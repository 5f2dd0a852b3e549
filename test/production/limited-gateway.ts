import { readGatewayConfig } from '@jobs-delete/gateway/config';
import { startGateway } from '@jobs-delete/gateway/start-gateway';
import { runUntilSignal } from '@jobs-delete/runtime/process/run-service';
import { withServiceContext } from '@jobs-delete/runtime/process/service-context';
import { createLogger } from '@jobs-delete/runtime/telemetry/logger';
import { withLimits, type GatewayLimits } from '../harness/gateway-limits.ts';

/** A gateway process with limits that no variable sets. Its argument is their JSON. */
const [limits = '{}'] = process.argv.slice(2);

await runUntilSignal(
  async () => {
    // `createRole` has written it.
    const config = withLimits(readGatewayConfig(process.env), JSON.parse(limits) as GatewayLimits);
    const log = createLogger(config.logLevel, 'gateway');
    const gateway = await withServiceContext(config.operations, log, (context) =>
      startGateway(config, log, context),
    );
    return { ...gateway, log };
  },
  ({ log }) => log.info('gateway is ready'),
);
