import { readFileSync } from 'node:fs';
import { Fault } from '@jobs-delete/runtime/fault';
import { StartupError } from '@jobs-delete/runtime/startup-error';
import { Command, CommanderError } from 'commander';
import { accountsCommand } from './commands/accounts.ts';
import { auditCommand } from './commands/audit.ts';
import { deadLettersCommand } from './commands/dead-letters.ts';
import { deletionsCommand } from './commands/deletions.ts';
import { indexesCommand } from './commands/indexes.ts';
import { jobsCommand } from './commands/jobs.ts';
import { doctorCommand } from './commands/doctor.ts';
import { examples } from './commands/options.ts';
import { originsCommand } from './commands/origins.ts';
import { secretsCommand } from './commands/secrets.ts';
import { tokensCommand } from './commands/tokens.ts';
import { topicsCommand } from './commands/topics.ts';
import type { Io } from './io.ts';
import { explainFault, Refusal } from './refusal.ts';

/**
 * Runs one command line and leaves its outcome in `io.exitCode`; never rejects.
 * @param further commands of the program that bring their own start, such as `serve`
 */
export async function runProgram(
  args: readonly string[],
  io: Io,
  further: readonly Command[] = [],
): Promise<void> {
  try {
    await createProgram(io, further).parseAsync(args, { from: 'user' });
  } catch (error) {
    io.exitCode = explain(error, io);
  }
}

function createProgram(io: Io, further: readonly Command[]): Command {
  const program = new Command('jobs-delete')
    .description('Bulk deletion of job postings: the service, and all that its operator does.')
    .version(readVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .showHelpAfterError('(add --help for how to use it)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      getOutHelpWidth: () => io.stdout.columns ?? 100,
      getErrHelpWidth: () => io.stderr.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText('after', environmentHelp)
    .addHelpText(
      'after',
      examples(
        'jobs-delete serve --demo',
        'jobs-delete accounts create acme',
        'jobs-delete tokens issue --account acme --expires 90d',
        'jobs-delete jobs import jobs.csv --account acme',
        'jobs-delete deletions list --state accepted --json',
      ),
    );
  const commands = [
    ...further,
    accountsCommand(io),
    tokensCommand(io),
    secretsCommand(io),
    originsCommand(io),
    jobsCommand(io),
    deletionsCommand(io),
    deadLettersCommand(io),
    topicsCommand(io),
    indexesCommand(io),
    doctorCommand(io),
    auditCommand(io),
  ];
  for (const command of commands) program.addCommand(inheriting(program, command));
  return program;
}

const environmentHelp = `
Environment:
  DATA_DIR           the data folder (./data)
  DATABASE_URL       sqlite:PATH or mongodb://…, where the database is not in the data folder
  EVENT_LOG_URL      kafka://…, where the event log is not in the data folder
  CREDENTIAL_PEPPER  the key of the stored credentials; without it a file in the data folder has it

Exit codes: 0 done, 1 refused or failed (why is on stderr), 2 wrong usage.`;

/** Commander hands settings down only to the commands that it creates itself. */
function inheriting(parent: Command, command: Command): Command {
  command.copyInheritedSettings(parent);
  for (const child of command.commands) inheriting(command, child);
  return command;
}

/** Says on stderr what went wrong. @returns the exit code */
function explain(error: unknown, io: Io): number {
  // Commander has said it already; what it gives 0 to is --help and --version.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof Refusal || error instanceof StartupError) {
    io.stderr.write(`${error.message}\n`);
    return error.exitCode;
  }
  if (error instanceof Fault && error.code !== 'internal') {
    io.stderr.write(`${explainFault(error)}\n`);
    return 1;
  }
  io.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return 70;
}

function readVersion(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
