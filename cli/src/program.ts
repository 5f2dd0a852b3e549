import type { Command } from 'commander';
import { accountsCommand } from './commands/accounts.ts';
import { auditCommand } from './commands/audit.ts';
import { completionCommand } from './commands/completion.ts';
import { deadLettersCommand } from './commands/dead-letters.ts';
import { deletionsCommand } from './commands/deletions.ts';
import { indexesCommand, topicsCommand } from './commands/topics-and-indexes.ts';
import { jobsCommand } from './commands/jobs.ts';
import { doctorCommand } from './commands/doctor.ts';
import { originsCommand } from './commands/origins.ts';
import { peopleCommand } from './commands/people.ts';
import { pepperCommand } from './commands/pepper.ts';
import { secretsCommand, tokensCommand } from './commands/credentials.ts';
import type { Io } from './io.ts';
import { callerCommands, runCommandLine } from './run-command-line.ts';

/**
 * Runs one command line and sets `io.exitCode`; never rejects.
 * @param further additional commands, such as `serve`
 */
export function runProgram(args: readonly string[], io: Io, further: readonly Command[] = []): Promise<void> {
  return runCommandLine(args, io, {
    description: 'Bulk deletion of job postings: runs the service, administers it and calls it.',
    notes: environmentNotes,
    examples: [
      'jobs-delete serve --demo',
      'jobs-delete accounts create acme',
      'jobs-delete tokens issue --account acme --expires 90d',
      'jobs-delete jobs import jobs.csv --account acme',
      'jobs-delete deletions list --state accepted --json',
    ],
    commands: (program) => [
      ...further,
      ...callerCommands(io),
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
    ],
  });
}

const environmentNotes = `Environment:
  DATA_DIR           the data folder (./data)
  DATABASE_URL       sqlite:PATH or mongodb://… (default: a file in the data folder)
  EVENT_LOG_URL      kafka://… (default: a file in the data folder)
  CREDENTIAL_PEPPER  the key of the stored credentials (default: a file in the data folder)
  DASHBOARD_URL      the dashboard's address in invitations (http://localhost: and DASHBOARD_PORT)

Exit codes: 0 success, 1 failure (the reason is on stderr), 2 wrong usage.`;
