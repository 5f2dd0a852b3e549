import { parseAllowedDomain, parseNewDomain } from '@jobs-delete/accounts/origins/allowed-domain';
import type { Command } from 'commander';
import type { Io } from '../io.ts';
import { noAccount, operationEntry, withAccount, withAccounts } from '../open-storage.ts';
import { Refusal, wrongUsage } from '../refusal.ts';
import { printable, report } from '../report.ts';
import { type AccountOptions, accountSubcommand, commandGroup } from './options.ts';

const forms = 'a host (example.com), an origin (https://example.com:8443) or a wildcard (*.example.com)';

export function originsCommand(io: Io): Command {
  return commandGroup(
    'origins',
    "allow, list and remove an account's allowed domains for the Origin header",
    allowCommand(io),
    listCommand(io),
    removeCommand(io),
  );
}

function allowCommand(io: Io): Command {
  return accountSubcommand('allow', 'allow a domain')
    .argument('<domain>', forms)
    .examples(
      'jobs-delete origins allow example.com --account acme',
      "jobs-delete origins allow '*.example.com' --account acme",
    )
    .action(async (text: string, options: AccountOptions) => {
      const domain = parseNewDomain(text);
      if (domain === undefined) throw wrongUsage(`'${printable(text)}' is not a domain. Use ${forms}.`);
      const origin = domain.text;
      const { account: accountId } = options;
      const entry = operationEntry(io, { accountId, action: 'domain.allowed', subject: origin });
      const outcome = await withAccounts(io, (accounts) => accounts.allowDomain(accountId, origin, entry));
      if (outcome === 'no_account') throw noAccount(accountId);
      report(io, options, { account_id: accountId, origin }, () => [
        `Account ${accountId} allows ${origin}. A running service accepts it within 5 seconds.`,
      ]);
    });
}

function listCommand(io: Io): Command {
  return accountSubcommand('list', "list the account's allowed domains")
    .examples('jobs-delete origins list --account acme')
    .action(async (options: AccountOptions) => {
      const origins = await withAccount(io, options.account, (accounts, { id }) => accounts.listDomains(id));
      const value = origins.map((origin) => ({ account_id: options.account, origin }));
      report(io, options, value, () =>
        origins.length > 0
          ? origins.map((origin) => printable(origin))
          : [`Account ${options.account} allows no domain.`],
      );
    });
}

function removeCommand(io: Io): Command {
  return accountSubcommand('remove', 'remove an allowed domain')
    .argument('<domain>', 'as `origins list` shows it')
    .examples('jobs-delete origins remove example.com --account acme')
    .action(async (text: string, options: AccountOptions) => {
      const origin = parseAllowedDomain(text)?.text ?? text;
      const { account: accountId } = options;
      const entry = operationEntry(io, { accountId, action: 'domain.removed', subject: origin });
      const removed = await withAccount(io, accountId, (accounts) =>
        accounts.removeDomain(accountId, origin, entry),
      );
      if (!removed)
        throw new Refusal(`Account ${accountId} does not allow ${printable(origin)}. Nothing was removed.`);
      report(io, options, { account_id: accountId, origin }, () => [
        `Account ${accountId} no longer allows ${origin}. A running service refuses it within 5 seconds.`,
      ]);
    });
}
