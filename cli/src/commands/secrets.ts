import { issueSecretKey } from '@jobs-delete/accounts/credentials/credential';
import type { Command } from 'commander';
import type { Io } from '../io.ts';
import { credentialsCommand } from './credentials.ts';

export function secretsCommand(io: Io): Command {
  return credentialsCommand(io, {
    command: 'secrets',
    kind: 'secret-key',
    noun: 'secret key',
    jsonName: 'secret_key',
    header: 'Usersecretkey',
    issue: issueSecretKey,
  });
}
