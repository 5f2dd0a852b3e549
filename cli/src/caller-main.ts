import { lockPrivateFile } from '@jobs-delete/runtime/files/private-files';
import { completionCommand } from './commands/completion.ts';
import { processIo, type Io } from './io.ts';
import { callerCommands, runCommandLine } from './run-command-line.ts';

const environmentNotes = `Environment:
  JOBS_DELETE_BASE_URL    the address of the service
  JOBS_DELETE_TOKEN       the API token
  JOBS_DELETE_SECRET_KEY  the secret key
  JOBS_DELETE_ORIGIN      an allowed domain of the account

Exit codes: 0 success, 1 failure (the reason is on stderr), 2 wrong usage.`;

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
void runCommandLine(process.argv.slice(2), io, {
  description: 'Bulk deletion of job postings: calls the service.',
  notes: environmentNotes,
  examples: [
    'jobs-delete delete NURSE001 NURSE002 --profile profile.json',
    'jobs-delete delete jobs.csv --column job_id --wait',
  ],
  commands: (program) => [...callerCommands(io), completionCommand(io, program)],
}).then(() => {
  process.exitCode ??= io.exitCode;
});

/** The used part of `node:sqlite`. The types for Node 20 lack the module. */
interface NodeSqlite {
  readonly DatabaseSync: new (path: string) => { exec(sql: string): void; close(): void };
}

/** Returns the SQLite of Node 22.13 and later; undefined for earlier releases. */
function openNodeSqlite(): NodeSqlite | undefined {
  const { emitWarning } = process;
  // Node 22 warns that the module is experimental. No lock depends on what may change.
  process.emitWarning = () => undefined;
  try {
    // The types name only the modules of Node 20.
    return process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Returns a lock that excludes, and is excluded by, `lockFile` of the runtime. */
function sqliteLock({ DatabaseSync }: NodeSqlite): Io['lockFile'] {
  // The primary result codes SQLITE_BUSY and SQLITE_LOCKED.
  const isLocked = (error: unknown) => [5, 6].includes((error as { errcode?: number }).errcode ?? 0);
  return (path) => lockPrivateFile(path, () => new DatabaseSync(path), isLocked);
}
