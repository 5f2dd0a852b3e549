import { createLogger } from '@jobs-delete/runtime/telemetry/logger';
import { printHelp } from '@jobs-delete/runtime/process/print-help';
import { runUntilSignal } from '@jobs-delete/runtime/process/run-until-signal';
import { withServiceContext } from '@jobs-delete/runtime/process/service-context';
import { readDeleterConfig } from './config.ts';
import { startDeleter } from './start-deleter.ts';

printHelp(`
Usage: node deleter-service/dist/main.js

Accepts deletions over gRPC, publishes them, and removes their jobs. Ends on SIGTERM or SIGINT.

It takes no arguments. These environment variables matter most:
  ROLES          api, relay and worker, separated by commas (all three)
  GRPC_PORT      the port of the api (50051)
  ADMIN_PORT     the port for health and metrics (9464)
  DATABASE_URL   mongodb://… or sqlite:PATH
  EVENT_LOG_URL  kafka://… or embedded:
docs/configuration.md lists all of them.`);

await runUntilSignal(
  async () => {
    const config = readDeleterConfig(process.env);
    const log = createLogger(config.logLevel, 'deleter-service');
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
