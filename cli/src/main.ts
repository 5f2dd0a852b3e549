import { lockFile } from '@jobs-delete/runtime/sqlite/lock-data-folder';
import { serveCommand } from './commands/serve.ts';
import { processIo } from './process-io.ts';
import { runProgram } from './program.ts';

const io = processIo(lockFile);
await runProgram(process.argv.slice(2), io, [serveCommand()]);
process.exitCode ??= io.exitCode;
