import { Fault } from '@jobs-delete/runtime/fault';
import { StartupError } from '@jobs-delete/runtime/startup-error';
import { Command, CommanderError } from 'commander';
import type { Io } from './io.ts';
import { explainFault, Refusal } from './refusal.ts';
import { report } from './report.ts';
import { suggestionFor } from './suggestions.ts';
import { readVersion } from './version.ts';

/** A program `jobs-delete`: everybody's, or the one for callers only. */
export interface ProgramDescription {
  readonly description: string;
  /** Shown after the options: environment, exit codes, examples. */
  readonly help: readonly string[];
  /** @param program for a command that describes the others */
  readonly commands: (program: Command) => readonly Command[];
}

/** Runs one command line and sets `io.exitCode`; never rejects. */
export async function runCommandLine(
  args: readonly string[],
  io: Io,
  description: ProgramDescription,
): Promise<void> {
  try {
    await createProgram(io, args, description).parseAsync(args, { from: 'user' });
  } catch (error) {
    io.exitCode = explain(error, io);
    // One JSON value for every end of this command.
    if (io.exitCode !== 0 && ['delete', 'sync'].includes(args[0] ?? '') && args.includes('--json')) {
      const stopped_by = error instanceof Error ? error.message : String(error);
      report(io, { json: true }, { complete: false, stopped_by }, () => []);
    }
  }
}

function createProgram(
  io: Io,
  args: readonly string[],
  { description, help, commands }: ProgramDescription,
): Command {
  const program = new Command('jobs-delete');
  program
    .description(description)
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
    });
  for (const text of help) program.addHelpText('after', text);
  for (const command of commands(program)) program.addCommand(inheriting(program, command));
  return program;
}

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
