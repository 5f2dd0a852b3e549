import type { Accounts, Credential, CredentialKind, CredentialRef } from '@jobs-delete/accounts/accounts';
import {
  credentialState,
  issueCredential,
  parseCredential,
} from '@jobs-delete/accounts/credentials/credential';
import { credentialSubject, type AuditEntry } from '@jobs-delete/accounts/people/audit-trail';
import { loadPeppers } from '@jobs-delete/accounts/pepper/load-pepper';
import type { Command } from 'commander';
import { readCliConfig } from '../config.ts';
import type { Io } from '../io.ts';
import { noAccount, operationEntry, withAccount } from '../open-storage.ts';
import { noName, Refusal, wrongUsage } from '../refusal.ts';
import { fieldLines, printable, report, tableLines, timeJson, timeText } from '../report.ts';
import { type AccountOptions, accountSubcommand, commandGroup, duration } from './options.ts';

/** The differences between `tokens` and `secrets`. */
interface CredentialGroup {
  readonly command: 'tokens' | 'secrets';
  readonly kind: CredentialKind;
  readonly noun: string;
  /** The name in the JSON output; with `_id`, the name of its id. */
  readonly jsonName: 'token' | 'secret_key';
  /** The HTTP header of the credential. */
  readonly header: string;
}

export function tokensCommand(io: Io): Command {
  return credentialsCommand(io, {
    command: 'tokens',
    kind: 'token',
    noun: 'token',
    jsonName: 'token',
    header: 'Authorization: Bearer',
  });
}

export function secretsCommand(io: Io): Command {
  return credentialsCommand(io, {
    command: 'secrets',
    kind: 'secret-key',
    noun: 'secret key',
    jsonName: 'secret_key',
    header: 'Usersecretkey',
  });
}

function credentialsCommand(io: Io, group: CredentialGroup): Command {
  return commandGroup(
    group.command,
    `issue, list, pause and revoke an account's ${group.noun}s, sent as ${group.header}`,

    issueCommand(io, group),
    listCommand(io, group),
    pauseCommand(io, group, 'pause'),
    pauseCommand(io, group, 'resume'),
    revokeCommand(io, group),
  );
}

function issueCommand(io: Io, group: CredentialGroup): Command {
  const { command, kind, noun, jsonName } = group;
  return accountSubcommand('issue', `issue a ${noun}; it is shown only once`)
    .option('--expires <duration>', 'validity: 90d, 12h, 30m, 2w (default: unlimited)', duration)
    .option('--name <name>', 'a display name')
    .option('--sandbox', 'for the sandbox only: a live request with it is refused')
    .examples(
      `jobs-delete ${command} issue --account acme`,
      `jobs-delete ${command} issue --account acme --expires 90d --name "nightly job"`,
    )
    .action(async (options: AccountOptions & { expires?: number; name?: string; sandbox?: true }) => {
      const { account: accountId, name: givenName, expires } = options;
      // A mistyped account must not create a pepper.
      const issuance = await withAccount(io, accountId, async (accounts) => {
        const { pepper } = await loadPeppers(accounts, readCliConfig(io.env).accounts);
        const expiresAtMs = expires === undefined ? undefined : io.now() + expires;
        const entryOf = (id: string) =>
          operationOn(io, group, { accountId, id, name: givenName, verb: 'created' });
        const request = { kind, accountId, expiresAtMs, name: givenName, entryOf };
        return issueCredential(
          accounts,
          pepper,
          { ...request, environment: options.sandbox && 'sandbox' },
          io.now,
        );
      });
      if (issuance.kind !== 'issued')
        throw issuance.kind === 'no_account' ? noAccount(accountId) : noName(String(givenName));
      const { text, credential } = issuance;
      const { account_id, name, environment, created_at, expires_at } = credentialJson(
        group,
        credential,
        io.now(),
      );
      const issued = {
        account_id,
        [`${jsonName}_id`]: credential.id,
        [jsonName]: text,
        name,
        environment,
        created_at,
        expires_at,
      };
      report(io, options, issued, () => [
        ...fieldLines([
          [noun, text],
          [`${noun} id`, credential.id],
          ['environment', environment],
          ['expires', timeText(credential.expiresAtMs, 'never')],
        ]),
        `The ${noun} is not shown again. Store it in a safe place.`,
      ]);
    });
}

function listCommand(io: Io, group: CredentialGroup): Command {
  const { command, noun, kind } = group;
  return accountSubcommand('list', `list the ids of the account's ${noun}s`)
    .notes(
      'LAST USED is the last accepted deletion: it counts no sandbox request, no status and no refused request.\n' +
        'LAST REFUSED is the last request with a right token and a wrong secret key or Origin.',
    )
    .examples(`jobs-delete ${command} list --account acme`)
    .action(async (options: AccountOptions) => {
      const list = await withAccount(io, options.account, (accounts, { id }) =>
        accounts.listCredentials(kind, id),
      );
      const nowMs = io.now();
      report(
        io,
        options,
        list.map((credential) => credentialJson(group, credential, nowMs)),
        () =>
          tableLines(
            [
              `${noun.toUpperCase()} ID`,
              'STATE',
              'ENVIRONMENT',
              'CREATED',
              'EXPIRES',
              'LAST USED',
              'LAST REFUSED',
              'NAME',
            ],
            list.map((credential) => [
              credential.id,
              credentialState(credential, nowMs),
              credential.environment ?? 'live',
              timeText(credential.createdAtMs),
              timeText(credential.expiresAtMs, 'never'),
              timeText(credential.lastUsedAtMs, 'never'),
              timeText(credential.lastRefusedAtMs, 'never'),
              credential.name ?? '-',
            ]),
            `Account ${options.account} has no ${noun}s.`,
          ),
      );
    });
}

const pauseTexts = {
  pause: { verb: 'paused', description: (noun: string) => `refuse a ${noun} until it is resumed` },
  resume: { verb: 'resumed', description: (noun: string) => `end the pause of a ${noun}` },
} as const;

function pauseCommand(io: Io, group: CredentialGroup, name: 'pause' | 'resume'): Command {
  const { command, noun } = group;
  const { verb, description } = pauseTexts[name];
  return accountSubcommand(name, `${description(noun)}; acts within 5 seconds`)
    .argument('<id>', `the ${noun}'s id, or the ${noun} itself`)
    .examples(`jobs-delete ${command} ${name} 3f9c0d1e2a4b5c6d7e8f9a0b --account acme`)
    .action(async (text: string, options: AccountOptions) => {
      const pausedAtMs = name === 'pause' ? io.now() : null;
      const { id, outcome, credential } = await change(
        { io, group, text, verb, accountId: options.account },
        (accounts, key, entry) => accounts.changeCredential(options.account, key, { pausedAtMs }, entry),
      );
      if (outcome === 'unchanged' && credential.revokedAtMs !== undefined)
        throw new Refusal(`The ${noun} ${id} is revoked. Nothing was ${verb}.`);
      const value = credentialJson(group, credential, io.now());
      report(io, options, value, () => [
        outcome === 'changed'
          ? `The ${noun} ${id} is ${verb}. A running service knows it within 5 seconds.`
          : `The ${noun} ${id} was ${name === 'pause' ? 'already' : 'not'} paused.`,
      ]);
    });
}

interface Change {
  readonly io: Io;
  readonly group: CredentialGroup;
  /** The id of the credential, or the credential itself, which is never printed. */
  readonly text: string;
  readonly accountId: string;
  readonly verb: 'paused' | 'resumed' | 'revoked';
}

/** Changes a credential, with an entry in the trail. @throws Refusal if the account has no such credential */
async function change<Outcome extends string>(
  { io, group, text, accountId, verb }: Change,
  act: (accounts: Accounts, key: CredentialRef, entry: AuditEntry) => Promise<Outcome | 'not_found'>,
) {
  const { command, noun, kind } = group;
  const id = parseCredential(kind, text) ?? (/^[0-9a-f]{24}$/.test(text) ? text : undefined);
  if (id === undefined)
    throw wrongUsage(
      `This is not a ${noun} id, which has 24 hex digits. List them: jobs-delete ${command} list --account ${printable(accountId)}`,
    );
  return withAccount(io, accountId, async (accounts) => {
    const before = await accounts.findCredential({ kind, id });
    const entry = operationOn(io, group, { accountId, id, name: before?.name, verb });
    const outcome = await act(accounts, { kind, id }, entry);
    const credential = await accounts.findCredential({ kind, id });
    if (outcome === 'not_found' || credential === undefined)
      throw new Refusal(`Account ${accountId} has no ${noun} ${id}. Nothing was ${verb}.`);
    return { id, outcome, credential };
  });
}

function revokeCommand(io: Io, group: CredentialGroup): Command {
  const { command, noun, jsonName } = group;
  return accountSubcommand('revoke', `revoke a ${noun} permanently, within 5 seconds`)
    .argument('<id>', `the ${noun}'s id, or the ${noun} itself`)
    .examples(`jobs-delete ${command} revoke 3f9c0d1e2a4b5c6d7e8f9a0b --account acme`)
    .action(async (text: string, options: AccountOptions) => {
      const { account: accountId } = options;
      const { id, outcome, credential } = await change(
        { io, group, text, verb: 'revoked', accountId },
        (accounts, key, entry) => accounts.revokeCredential(accountId, key, io.now(), entry),
      );
      const revokedAt = timeJson(credential.revokedAtMs);
      const value = {
        account_id: accountId,
        [`${jsonName}_id`]: id,
        state: 'revoked',
        revoked_at: revokedAt,
      };
      report(io, options, value, () => [
        outcome === 'already_revoked'
          ? `The ${noun} ${id} was already revoked at ${String(revokedAt)}.`
          : `Revoked the ${noun} ${id}. A running service refuses it within 5 seconds.`,
      ]);
    });
}

function operationOn(
  io: Io,
  { kind }: CredentialGroup,
  {
    accountId,
    id,
    name,
    verb,
  }: { accountId: string; id: string; name: string | undefined; verb: Change['verb'] | 'created' },
): AuditEntry {
  return operationEntry(io, {
    accountId,
    action: `${kind}.${verb}`,
    subject: credentialSubject({ id, name }),
  });
}

function credentialJson({ jsonName }: CredentialGroup, credential: Credential, nowMs: number) {
  return {
    account_id: credential.accountId,
    [`${jsonName}_id`]: credential.id,
    name: credential.name ?? null,
    state: credentialState(credential, nowMs),
    environment: credential.environment ?? 'live',
    created_at: timeJson(credential.createdAtMs),
    expires_at: timeJson(credential.expiresAtMs),
    paused_at: timeJson(credential.pausedAtMs),
    revoked_at: timeJson(credential.revokedAtMs),
    last_used_at: timeJson(credential.lastUsedAtMs),
    last_refused_at: timeJson(credential.lastRefusedAtMs),
  };
}
