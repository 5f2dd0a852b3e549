import { runService } from '@jobs-delete/runtime/process/run-service';
import { deleterVariables, readDeleterConfig } from './config.ts';
import { startDeleter } from './start-deleter.ts';

await runService({
  name: 'deleter-service',
  task: 'Accepts deletions over gRPC, publishes them, and removes their jobs.',
  variables: deleterVariables,
  readConfig: readDeleterConfig,
  start: async (config, log, context) => {
    const deleter = await startDeleter(config, log, context);
    deleter.ended.catch((error: unknown) => {
      log.fatal({ err: error }, 'the removal worker has ended');
      process.exit(1);
    });
    return deleter;
  },
  describe: ({ grpcPort, adminPort }, { roles }) => ({ grpcPort, adminPort, roles: [...roles] }),
});
