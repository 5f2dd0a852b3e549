import { createLogger } from '@jobs-delete/runtime/logger';
import { runUntilSignal } from '@jobs-delete/runtime/run-until-signal';
import { withVitals } from '@jobs-delete/runtime/vitals';
import { readDeleterConfig } from './config.ts';
import { startDeleter } from './start-deleter.ts';

await runUntilSignal(
  async () => {
    const config = readDeleterConfig(process.env);
    const log = createLogger(config.logLevel, 'deleter-service');
    const deleter = await withVitals(config.operations, log, (vitals) => startDeleter(config, log, vitals));
    deleter.ended.catch((error: unknown) => {
      log.fatal({ err: error }, 'removing has ended for good');
      process.exit(1);
    });
    return { ...deleter, log, roles: [...config.roles] };
  },
  ({ log, grpcPort, adminPort, roles }) =>
    log.info({ grpcPort, adminPort, roles }, 'deleter-service is ready'),
);
