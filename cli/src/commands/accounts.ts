import {
  type Account,
  type AccountChange,
  createAccount,
  isDisplayName,
} from '@jobs-delete/accounts/accounts';
import { credentialState } from '@jobs-delete/accounts/credentials/credential';
import { noRules } from '@jobs-delete/deleter-service/store/safety-rules';
import type { Command } from 'commander';
import type { Io } from '../io.ts';
import { noAccount, withAccount, withAccounts, withNewAccounts, withStore } from '../open-storage.ts';
import { noName, Refusal, wrongUsage } from '../refusal.ts';
import {
  fieldLines,
  printable,
  report,
  tableLines,
  timeJson,
  timeText,
  wholeNumber,
  type ReportOptions,
} from '../report.ts';
import {
  allowCommand,
  delayCommand,
  delayText,
  limitCommand,
  limitFields,
  limitLine,
} from './account-rules.ts';
import { commandGroup, subcommand } from './options.ts';

export function accountsCommand(io: Io): Command {
  return commandGroup(
    'accounts',
    'create, list, show, change and disable accounts, which own jobs and call the API',

    createCommand(io),
    listCommand(io),
    showCommand(io),
    renameCommand(io),
    delayCommand(io),
    limitCommand(io),
    allowCommand(io),
    disableCommand(io),
    enableCommand(io),
  );
}

function createCommand(io: Io): Command {
  return subcommand('create', 'create an account, and the database if it does not exist')
    .argument('[id]', '1 to 64 of A-Z a-z 0-9 _ - (default: a generated id)')
    .option('--name <name>', 'a display name')
    .examples('jobs-delete accounts create acme --name "Acme Inc."')
    .action(async (id: string | undefined, options: ReportOptions & { name?: string }) => {
      const { name } = options;
      const creation = await withNewAccounts(io, (accounts) => createAccount(accounts, { id, name }, io.now));
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
          throw noName(String(name));
      }
    });
}

function listCommand(io: Io): Command {
  return subcommand('list', 'list the accounts, oldest first')
    .examples('jobs-delete accounts list', 'jobs-delete accounts list --json')
    .action(async (options: ReportOptions) => {
      const list = await withAccounts(io, (accounts) => accounts.listAccounts());
      report(io, options, list.map(accountJson), () =>
        tableLines(
          ['ACCOUNT', 'STATE', 'CREATED', 'NAME'],
          list.map((account) => [
            account.id,
            stateOf(account),
            timeText(account.createdAtMs),
            account.name ?? '-',
          ]),
          'There are no accounts. Create one: jobs-delete accounts create',
        ),
      );
    });
}

function showCommand(io: Io): Command {
  return subcommand('show', 'show an account: its live credentials, allowed domains and jobs')
    .argument('<id>', 'the account')
    .examples('jobs-delete accounts show acme')
    .action(async (id: string, options: ReportOptions) => {
      const found = await withAccount(io, id, async (accounts, account) => {
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
      const stored = await withStore(io, async (store) => {
        const rules = (await store.findRules([id])).get(id) ?? noRules;
        return {
          removal_delay_s: rules.removalDelayMs / 1_000,
          ...(await limitFields(id, rules, store, io.now())),
          job_count: await store.countJobs(id),
        };
      });
      report(io, options, { ...found, ...stored }, () =>
        fieldLines([
          ['account', found.account_id],
          ['name', found.name ?? '-'],
          ['state', found.disabled_at === null ? 'active' : `disabled since ${found.disabled_at}`],
          ['created', found.created_at ?? '-'],
          ['active tokens', wholeNumber(found.active_tokens)],
          ['active secret keys', wholeNumber(found.active_secret_keys)],
          ['allowed domains', found.origins.join(', ') || '-'],
          ['delay of removals', delayText(stored.removal_delay_s)],
          ['limit of deletions', limitLine(stored)],
          ['jobs', wholeNumber(stored.job_count)],
        ]),
      );
    });
}

function renameCommand(io: Io): Command {
  return subcommand('rename', 'change the display name of an account; its id stays')
    .argument('<id>', 'the account')
    .requiredOption('--name <name>', 'the new display name')
    .examples('jobs-delete accounts rename acme --name "Acme Group"')
    .action(async (id: string, options: ReportOptions & { name: string }) => {
      const { name } = options;
      if (!isDisplayName(name)) throw noName(name);
      await changeAccount(io, options, id, { name }, `Renamed account ${id} to ${name}.`);
    });
}

function disableCommand(io: Io): Command {
  return subcommand('disable', 'refuse all requests of an account, within 5 seconds')
    .argument('<id>', 'the account')
    .notes('Its tokens are refused as token_invalid. Accepted deletions go on. Jobs and credentials stay.')
    .examples('jobs-delete accounts disable acme')
    .action((id: string, options: ReportOptions) => {
      const done = `Disabled account ${id}. A running service refuses its requests within 5 seconds.`;
      return changeAccount(io, options, id, { disabledAtMs: io.now() }, done);
    });
}

function enableCommand(io: Io): Command {
  return subcommand('enable', 'serve the requests of a disabled account again')
    .argument('<id>', 'the account')
    .examples('jobs-delete accounts enable acme')
    .action((id: string, options: ReportOptions) => {
      const done = `Enabled account ${id}. A running service serves it within 5 seconds.`;
      return changeAccount(io, options, id, { disabledAtMs: null }, done);
    });
}

async function changeAccount(
  io: Io,
  options: ReportOptions,
  id: string,
  change: AccountChange,
  done: string,
): Promise<void> {
  const account = await withAccounts(io, (accounts) => accounts.changeAccount(id, change));
  if (account === undefined) throw noAccount(id);
  report(io, options, accountJson(account), () => [printable(done)]);
}

function stateOf({ disabledAtMs }: Account): string {
  return disabledAtMs === undefined ? 'active' : 'disabled';
}

function accountJson({ id, name, createdAtMs, disabledAtMs }: Account) {
  return {
    account_id: id,
    name: name ?? null,
    created_at: timeJson(createdAtMs),
    disabled_at: timeJson(disabledAtMs),
  };
}
