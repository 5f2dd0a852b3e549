import { runService } from '@jobs-delete/runtime/process/run-service';
import { gatewayVariables, readGatewayConfig } from './config.ts';
import { startGateway } from './start-gateway.ts';

await runService({
  name: 'gateway',
  task: 'Serves the public HTTP API and calls the deleter service.',
  variables: gatewayVariables,
  readConfig: readGatewayConfig,
  start: startGateway,
  describe: ({ port, adminPort }) => ({ port, adminPort }),
});
