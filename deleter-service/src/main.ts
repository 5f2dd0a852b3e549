import { warnOfUnknownVariables } from '@jobs-delete/runtime/config/variables';
import { createLogger } from '@jobs-delete/runtime/telemetry/logger';
import { printHelp, runUntilSignal } from '@jobs-delete/runtime/process/run-service';
import { withServiceContext } from '@jobs-delete/runtime/process/service-context';
import { deleterVariables, readDeleterConfig } from './config.ts';
import { startDeleter } from './start-deleter.ts';

printHelp(
  `
Usage: node deleter-service/dist/main.js

Accepts deletions over gRPC, publishes them, and removes their jobs. Ends on SIGTERM or SIGINT.`,
  deleterVariables,
);

await runUntilSignal(
  async () => {
    const config = readDeleterConfig(process.env);
    const log = createLogger(config.logLevel, 'deleter-service');
    warnOfUnknownVariables(process.env, deleterVariables, log);
    const deleter = await withServiceContext(config.operations, log, (context) =>
      startDeleter(config, log, context),
    );
    deleter.ended.catch((error: unknown) => {
      log.fatal({ err: error }, 'the removal worker has ended');
      process.exit(1);
    });
    return { ...deleter, log, roles: [...config.roles] };
  },
  ({ log, grpcPort, adminPort, roles }) =>
    log.info({ grpcPort, adminPort, roles }, 'deleter-service is ready'),
);
