import { issueToken } from '@jobs-delete/accounts/credentials/credential';
import type { Command } from 'commander';
import type { Io } from '../io.ts';
import { credentialsCommand } from './credentials.ts';

export function tokensCommand(io: Io): Command {
  return credentialsCommand(io, {
    command: 'tokens',
    kind: 'token',
    noun: 'token',
    jsonName: 'token',
    header: 'Authorization: Bearer',
    issue: issueToken,
  });
}
