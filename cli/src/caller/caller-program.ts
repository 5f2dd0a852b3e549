import { completionCommand } from '../commands/completion.ts';
import { examples } from '../commands/options.ts';
import type { Io } from '../io.ts';
import { runCommandLine } from '../run-command-line.ts';
import { callerCommands } from './caller-commands.ts';

/** Runs one command line of `@jobs-delete/cli` and sets `io.exitCode`; never rejects. */
export function runCallerProgram(args: readonly string[], io: Io): Promise<void> {
  return runCommandLine(args, io, {
    description: 'Bulk deletion of job postings: calls the service.',
    help: [
      environmentHelp,
      examples(
        'jobs-delete delete NURSE001 NURSE002 --profile profile.json',
        'jobs-delete delete jobs.csv --column job_id --wait',
      ),
    ],
    commands: (program) => [...callerCommands(io), completionCommand(io, program)],
  });
}

const environmentHelp = `
Environment:
  JOBS_DELETE_BASE_URL    the address of the service
  JOBS_DELETE_TOKEN       the API token
  JOBS_DELETE_SECRET_KEY  the secret key
  JOBS_DELETE_ORIGIN      an allowed domain of the account

Exit codes: 0 success, 1 failure (the reason is on stderr), 2 wrong usage.`;
