import type { Command } from 'commander';

/** The words that may follow a command, for a completion script. */
export interface CommandWords {
  /** The words of the command after `jobs-delete`, such as `accounts create`; empty for the program itself. */
  readonly route: string;
  /** Subcommands, or the values of an argument with choices. */
  readonly words: readonly Word[];
  readonly options: readonly OptionWord[];
  /** True if an argument may be a file. */
  readonly takesFile: boolean;
}

export interface Word {
  readonly word: string;
  readonly description: string;
}

export interface OptionWord extends Word {
  readonly value: 'none' | 'file' | 'other' | readonly string[];
}

/** Returns the program and all its commands, from the table that parses the command line. */
export function describeCommands(program: Command): CommandWords[] {
  return describe(program, '');
}

function describe(command: Command, route: string): CommandWords[] {
  const help = command.createHelp();
  const children = help.visibleCommands(command);
  const { registeredArguments } = command;
  const own: CommandWords = {
    route,
    words: [
      ...children.map((child) => ({ word: child.name(), description: firstLine(child.description()) })),
      ...registeredArguments.flatMap(({ argChoices = [] }) =>
        argChoices.map((word) => ({ word, description: '' })),
      ),
    ],
    options: help.visibleOptions(command).map((option) => ({
      word: option.long ?? option.flags,
      description: firstLine(option.description),
      value: valueOf(option),
    })),
    takesFile: registeredArguments.some((argument) =>
      `${argument.name()} ${argument.description}`.includes('file'),
    ),
  };
  const below = command.commands.flatMap((child) => describe(child, `${route} ${child.name()}`.trim()));
  return [own, ...below];
}

function valueOf(option: {
  readonly flags: string;
  readonly required: boolean;
  readonly optional: boolean;
  readonly argChoices?: readonly string[];
}): OptionWord['value'] {
  if (!option.required && !option.optional) return 'none';
  return option.argChoices ?? (option.flags.includes('<file>') ? 'file' : 'other');
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}
