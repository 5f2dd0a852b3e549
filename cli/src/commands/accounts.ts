import type { Account } from '@jobs-delete/accounts/accounts';
import { createAccount } from '@jobs-delete/accounts/create-account';
import { Command } from 'commander';
import { readCliConfig } from '../config.ts';
import type { Io } from '../io.ts';
import { requireAccount, withAccounts, withNewAccounts, withStore } from '../open-storage.ts';
import { printable } from '../printable.ts';
import { Refusal, wrongUsage } from '../refusal.ts';
import {
  fieldLines,
  report,
  tableLines,
  timeJson,
  timeText,
  wholeNumber,
  type ReportOptions,
} from '../report.ts';
import { credentialState } from './credentials.ts';
import { examples, subcommand } from './options.ts';

export function accountsCommand(io: Io): Command {
  return new Command('accounts')
    .description('create, list and show accounts, which own jobs and call the API')
    .addCommand(createCommand(io))
    .addCommand(listCommand(io))
    .addCommand(showCommand(io));
}

function createCommand(io: Io): Command {
  return subcommand('create', 'create an account, and the database if it does not exist')
    .argument('[id]', '1 to 64 of A-Z a-z 0-9 _ - (default: a generated id)')
    .option('--name <name>', 'a display name')
    .addHelpText('after', examples('jobs-delete accounts create acme --name "Acme Inc."'))
    .action(async (id: string | undefined, options: ReportOptions & { name?: string }) => {
      const { name } = options;
      const creation = await withNewAccounts(readCliConfig(io.env), (accounts) =>
        createAccount(accounts, { id, name }, io.now),
      );
      switch (creation.kind) {
        case 'created':
          report(io, options, accountJson(creation.account), () => [
            `Created account ${creation.account.id}.`,
            `Next: jobs-delete tokens issue --account ${creation.account.id}`,
          ]);
          return;
        case 'exists':
          throw new Refusal(`Account ${String(id)} exists already and was not changed.`);
        case 'id_malformed':
          throw wrongUsage(
            `'${printable(String(id))}' is not an account id: use 1 to 64 of A-Z a-z 0-9 _ -.`,
          );
        case 'name_malformed':
          throw wrongUsage(`'${printable(String(name))}' is not a name: use 1 to 100 printable characters.`);
      }
    });
}

function listCommand(io: Io): Command {
  return subcommand('list', 'list the accounts, oldest first')
    .addHelpText('after', examples('jobs-delete accounts list', 'jobs-delete accounts list --json'))
    .action(async (options: ReportOptions) => {
      const list = await withAccounts(readCliConfig(io.env), (accounts) => accounts.listAccounts());
      report(io, options, list.map(accountJson), () =>
        tableLines(
          ['ACCOUNT', 'CREATED', 'NAME'],
          list.map(({ id, name, createdAtMs }) => [id, timeText(createdAtMs), name ?? '-']),
          'There are no accounts. Create one: jobs-delete accounts create',
        ),
      );
    });
}

function showCommand(io: Io): Command {
  return subcommand('show', 'show an account: its live credentials, allowed domains and jobs')
    .argument('<id>', 'the account')
    .addHelpText('after', examples('jobs-delete accounts show acme'))
    .action(async (id: string, options: ReportOptions) => {
      const config = readCliConfig(io.env);
      const found = await withAccounts(config, async (accounts) => {
        const account = await requireAccount(accounts, id);
        const countLive = async (kind: 'token' | 'secret-key') =>
          (await accounts.listCredentials(kind, id)).filter(
            (credential) => credentialState(credential, io.now()) === 'active',
          ).length;
        return {
          ...accountJson(account),
          active_tokens: await countLive('token'),
          active_secret_keys: await countLive('secret-key'),
          origins: await accounts.listDomains(id),
        };
      });
      const jobCount = await withStore(config, (store) => store.countJobs(id));
      report(io, options, { ...found, job_count: jobCount }, () =>
        fieldLines([
          ['account', found.account_id],
          ['name', found.name ?? '-'],
          ['created', found.created_at ?? '-'],
          ['active tokens', wholeNumber(found.active_tokens)],
          ['active secret keys', wholeNumber(found.active_secret_keys)],
          ['allowed domains', found.origins.join(', ') || '-'],
          ['jobs', wholeNumber(jobCount)],
        ]),
      );
    });
}

function accountJson({ id, name, createdAtMs }: Account) {
  return { account_id: id, name: name ?? null, created_at: timeJson(createdAtMs) };
}
