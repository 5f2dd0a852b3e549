import { Fault } from '@jobs-delete/runtime/fault';
import { StartupError } from '@jobs-delete/runtime/startup-error';
import { Command, CommanderError } from 'commander';
import { accountsCommand } from './commands/accounts.ts';
import { auditCommand } from './commands/audit.ts';
import { completionCommand } from './commands/completion.ts';
import { deadLettersCommand } from './commands/dead-letters.ts';
import { deleteCommand } from './commands/delete.ts';
import { deletionsCommand } from './commands/deletions.ts';
import { indexesCommand } from './commands/indexes.ts';
import { jobsCommand } from './commands/jobs.ts';
import { doctorCommand } from './commands/doctor.ts';
import { examples } from './commands/options.ts';
import { originsCommand } from './commands/origins.ts';
import { peopleCommand } from './commands/people.ts';
import { pepperCommand } from './commands/pepper.ts';
import { secretsCommand } from './commands/secrets.ts';
import { tokensCommand } from './commands/tokens.ts';
import { topicsCommand } from './commands/topics.ts';
import type { Io } from './io.ts';
import { explainFault, Refusal } from './refusal.ts';
import { report } from './report.ts';
import { suggestionFor } from './suggestions.ts';
import { readVersion } from './version.ts';

/**
 * Runs one command line and sets `io.exitCode`; never rejects.
 * @param further additional commands, such as `serve`
 */
export async function runProgram(
  args: readonly string[],
  io: Io,
  further: readonly Command[] = [],
): Promise<void> {
  try {
    await createProgram(io, args, further).parseAsync(args, { from: 'user' });
  } catch (error) {
    io.exitCode = explain(error, io);
    // One JSON value for every end of this command.
    if (io.exitCode !== 0 && args[0] === 'delete' && args.includes('--json')) {
      const stopped_by = error instanceof Error ? error.message : String(error);
      report(io, { json: true }, { complete: false, stopped_by }, () => []);
    }
  }
}

function createProgram(io: Io, args: readonly string[], further: readonly Command[]): Command {
  const program = new Command('jobs-delete');
  program
    .description('Bulk deletion of job postings: runs the service, administers it and calls it.')
    .version(readVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .showHelpAfterError('(add --help for usage)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      getOutHelpWidth: () => io.stdout.columns ?? 100,
      getErrHelpWidth: () => io.stderr.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      outputError: (text, write) => write(text + suggestionFor(program, args, text)),
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
    deleteCommand(io),
    accountsCommand(io),
    tokensCommand(io),
    secretsCommand(io),
    originsCommand(io),
    peopleCommand(io),
    pepperCommand(io),
    jobsCommand(io),
    deletionsCommand(io),
    deadLettersCommand(io),
    topicsCommand(io),
    indexesCommand(io),
    doctorCommand(io),
    auditCommand(io),
    completionCommand(io, program),
  ];
  for (const command of commands) program.addCommand(inheriting(program, command));
  return program;
}

const environmentHelp = `
Environment:
  DATA_DIR           the data folder (./data)
  DATABASE_URL       sqlite:PATH or mongodb://… (default: a file in the data folder)
  EVENT_LOG_URL      kafka://… (default: a file in the data folder)
  CREDENTIAL_PEPPER  the key of the stored credentials (default: a file in the data folder)
  DASHBOARD_URL      the dashboard's address in invitations (http://localhost:8081)

Exit codes: 0 success, 1 failure (the reason is on stderr), 2 wrong usage.`;

/** Copies the settings, which Commander does only for commands that it creates itself. */
function inheriting(parent: Command, command: Command): Command {
  command.copyInheritedSettings(parent);
  for (const child of command.commands) inheriting(command, child);
  return command;
}

/** Prints the error on stderr. Returns the exit code. */
function explain(error: unknown, io: Io): number {
  // Commander has printed it already. Its exit code is 0 for --help and --version.
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
