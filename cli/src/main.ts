import { serveCommand } from './commands/serve.ts';
import type { Io } from './io.ts';
import { runProgram } from './program.ts';

const io: Io = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  now: () => Date.now(),
  onInterrupt: (callback) => {
    // A scheduler or a container sends SIGTERM.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, callback);
    return () => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, callback);
    };
  },
  exitCode: 0,
};

// EPIPE is not a failure: the reader, such as `head`, has exited.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return;
  process.exitCode = 1;
  process.stderr.write(`Cannot write the output: ${error.message}\n`);
});
process.stderr.on('error', () => undefined);

await runProgram(process.argv.slice(2), io, [serveCommand()]);
process.exitCode ??= io.exitCode;
