import { editsBetween } from '@jobs-delete/runtime/config/unknown-variables';
import type { Command } from 'commander';

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
export function suggestionFor(program: Command, args: readonly string[], error: string): string {
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
