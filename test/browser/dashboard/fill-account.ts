import { issueSecretKey, issueToken } from '@jobs-delete/accounts/credentials/credential';
import { invitePerson, listPendingInvitations } from '@jobs-delete/accounts/people/invitations';
import { readOrCreatePepper } from '@jobs-delete/accounts/pepper/read-or-create-pepper';
import { until } from '../../harness/until.ts';
import { createClient } from '../../http/client.ts';
import type { DashboardVisitor } from './visit-dashboard.ts';

/** The account that the pages show. */
export interface FilledAccount {
  readonly accountId: string;
  readonly token: string;
  readonly secretKey: string;
  readonly origin: string;
  /** A deletion that can be cancelled. */
  readonly waitingId: string;
  /** Values for the variable parts of paths, by the first part, such as `keys` of `/keys/:kind/:id`. */
  readonly params: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The query of a path that needs one. */
  readonly queries: Readonly<Record<string, string>>;
}

const dayMs = 86_400_000;
const now = () => Date.now();

/** Creates an account with every kind of row that a page can have. */
export async function fillAccount(visitor: DashboardVisitor, accountId = 'acme'): Promise<FilledAccount> {
  const service = visitor.service();
  const { accounts } = service.operator;
  const client = await createClient(service, accountId);
  const pepper = readOrCreatePepper(service.dataDir);
  const expiring = { name: 'Importer of the warehouse in Saint-Étienne', expiresAtMs: now() + 3 * dayMs };
  const issued = await issueToken(accounts, pepper, accountId, expiring, now);
  const revoked = await issueSecretKey(accounts, pepper, accountId, { name: 'Old' }, now);
  if (issued.kind !== 'issued' || revoked.kind !== 'issued') throw new Error('no key was issued');
  await accounts.revokeCredential(accountId, revoked.credential, now());
  await accounts.allowDomain(accountId, '*.a-rather-long-name-of-a-department.acme.example');

  const { headers } = await client.call({ jobIds: await client.newJobs(30) });
  const deletionId = String(headers['deletion-id']);
  await client.call({ jobIds: ['NoSuchJob'] });
  const isCompleted = async () =>
    (await service.operator.store.findReceipt(deletionId, accountId))?.state === 'completed';
  await until(isCompleted);
  const { store } = service.operator;
  await store.setRules(accountId, { limit: { kind: 'jobs', jobs: 5_000 } });
  const allowance = { id: 'allowance', jobs: 2_000, untilMs: now() + 4 * 3_600_000 };
  await store.addAllowance(accountId, allowance, now());
  const waiting = await visitor.scene().accept(accountId, { jobs: 3, delayMs: dayMs });
  const today = new Date().toISOString().slice(0, 10);
  await accounts.addRefusals([{ accountId, day: today, code: 'origin_not_allowed', count: 12_345 }]);

  const invited = { accountId, email: 'ada@example.com', role: 'manager', invitedBy: 'operator' } as const;
  const invitation = await invitePerson(accounts, invited, now);
  const [pending] = await listPendingInvitations(accounts, accountId, now());
  const colleague = await visitor.signIn(accountId, 'viewer');
  await accounts.recordAction({
    id: 'f'.repeat(24),
    accountId,
    atMs: now(),
    actor: 'operator',
    action: 'token.created',
    subject: issued.credential.id,
  });
  return {
    ...client.account,
    waitingId: waiting.id,
    params: {
      keys: { kind: 'token', id: issued.credential.id },
      activity: { id: deletionId },
      people: { id: colleague.person.id },
      link: { secret: invitation.kind === 'invited' ? invitation.secret : '' },
    },
    queries: {
      '/domains/remove': `?domain=${encodeURIComponent(client.account.origin)}`,
      '/people/withdraw': `?invitation=${pending?.id ?? ''}`,
    },
  };
}
