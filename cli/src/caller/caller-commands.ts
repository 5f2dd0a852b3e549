import type { Command } from 'commander';
import { deleteCommand } from '../commands/delete.ts';
import { syncCommand } from '../commands/sync.ts';
import { whoamiCommand } from '../commands/whoami.ts';
import type { Io } from '../io.ts';

/** Creates the commands that need only the HTTP API and the credentials of an account. Both programs have them. */
export function callerCommands(io: Io): Command[] {
  return [whoamiCommand(io), deleteCommand(io), syncCommand(io)];
}
