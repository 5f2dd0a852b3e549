import { editsBetween } from '@jobs-delete/runtime/config/variables';
import { Fault, messageOf } from '@jobs-delete/runtime/fault';
import { StartupError } from '@jobs-delete/runtime/startup-error';
import { CommanderError, type Command } from 'commander';
import { deleteCommand } from './commands/delete.ts';
import { DescribedCommand } from './commands/options.ts';
import { syncCommand } from './commands/sync.ts';
import { whoamiCommand } from './commands/whoami.ts';
import type { Io } from './io.ts';
import { explainFault, Refusal } from './refusal.ts';
import { report } from './report.ts';
import { readVersion } from './version.ts';

/** A program `jobs-delete`: everybody's, or the one for callers only. */
export interface ProgramDescription {
  readonly description: string;
  /** Shown after the options: environment and exit codes. */
  readonly notes: string;
  readonly examples: readonly string[];
  /** @param program for a command that describes the others */
  readonly commands: (program: Command) => readonly Command[];
}

/** Creates the commands that need only the HTTP API and the credentials of an account. Both programs have them. */
export function callerCommands(io: Io): Command[] {
  return [whoamiCommand(io), deleteCommand(io), syncCommand(io)];
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
      const stopped_by = messageOf(error);
      report(io, { json: true }, { complete: false, stopped_by }, () => []);
    }
  }
}

function createProgram(
  io: Io,
  args: readonly string[],
  { description, notes, examples, commands }: ProgramDescription,
): Command {
  const program = new DescribedCommand('jobs-delete', description)
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
    .notes(notes)
    .examples(...examples);
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

/** Words of other programs, and the commands that do the same here. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  add: ['create', 'allow', 'issue', 'invite', 'import'],
  create: ['create', 'issue', 'allow', 'invite', 'import'],
  new: ['create', 'issue', 'invite'],
  delete: ['remove', 'revoke', 'discard', 'disable'],
  remove: ['revoke', 'discard', 'disable'],
  rm: ['remove', 'revoke', 'discard'],
  get: ['show'],
  describe: ['show'],
  ls: ['list'],
  retry: ['replay'],
  start: ['serve'],
  upload: ['import'],
};

/**
 * Returns a hint for an error of Commander that has none: for a synonym of a command, and for a misspelt option that a
 * missing option hides.
 */
function suggestionFor(program: Command, args: readonly string[], error: string): string {
  const unknown = /^error: unknown command '(.*)'/.exec(error)?.[1];
  if (unknown !== undefined && !error.includes('Did you mean')) {
    const names = groupOf(program, args).commands.map((command) => command.name());
    const meant = synonyms[unknown]?.find((name) => names.includes(name));
    return meant === undefined ? '' : `(Did you mean ${meant}?)\n`;
  }
  const missing = /^error: required option '(--[\w-]+)/.exec(error)?.[1];
  const misspelt = args.find((arg) => missing !== undefined && isMisspelt(arg, missing));
  return misspelt === undefined ? '' : `(Did you mean ${String(missing)} instead of ${misspelt}?)\n`;
}

function groupOf(program: Command, [first]: readonly string[]): Command {
  return program.commands.find((command) => command.name() === first) ?? program;
}

function isMisspelt(arg: string, option: string): boolean {
  const [name = ''] = arg.split('=');
  return name.startsWith('--') && name !== option && editsBetween(name, option) <= 2;
}
