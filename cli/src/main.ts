import { lockFile } from '@jobs-delete/runtime/sqlite/lock-data-folder';
import type { Command } from 'commander';
import { DescribedCommand } from './commands/options.ts';
import { processIo } from './io.ts';
import { runProgram } from './program.ts';
import type { ServeOptions } from './serve.ts';

const io = processIo(lockFile);
await runProgram(process.argv.slice(2), io, [serveCommand()]);
process.exitCode ??= io.exitCode;

function serveCommand(): Command {
  return new DescribedCommand(
    'serve',
    'run the gateway, the deleter service and the dashboard in one process',
  )
    .option('--demo', 'on an empty data folder, create an account with credentials and 1,000 jobs')
    .option('--reset-demo', 'like --demo, and add the deleted demo jobs again')
    .option(
      '--demo-history',
      'with --demo and embedded storage: add a month of deletions, keys and members, once',
    )
    .option('--json', 'print the addresses as one JSON value')
    .notes(
      'Reads PORT, DASHBOARD_PORT, GRPC_PORT, DATA_DIR and the other variables of docs/configuration.md. Ends on SIGTERM or SIGINT.',
    )
    .action(async (options: ServeOptions) => {
      // Other commands start in half the time without the services.
      const { runUntilSignal } = await import('@jobs-delete/runtime/process/run-service');
      await runUntilSignal(
        async () => {
          const { serve } = await import('./serve.ts');
          return serve(options);
        },
        ({ greeting }) => process.stdout.write(greeting),
      );
    });
}
