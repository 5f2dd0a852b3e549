import { processIo } from '../process-io.ts';
import { runCallerProgram } from './caller-program.ts';
import { openNodeSqlite, sqliteLock } from './node-sqlite-lock.ts';

// A promise, not `await`: the bundle is a CommonJS file, because only such a file can become an executable.
const sqlite = openNodeSqlite();
const io = processIo(
  sqlite === undefined
    ? () => {
        io.stderr.write(
          'This release of Node cannot lock a journal: run only one command with it at a time.\n',
        );
        return () => undefined;
      }
    : sqliteLock(sqlite),
);
void runCallerProgram(process.argv.slice(2), io).then(() => {
  process.exitCode ??= io.exitCode;
});
