import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from '@jest/globals';
import { issueCredential } from '@jobs-delete/accounts/credentials/credential';
import { invitePerson, listPendingInvitations } from '@jobs-delete/accounts/people/invitations';
import type { Role, Session } from '@jobs-delete/accounts/people/people';
import { readOrCreatePepper } from '@jobs-delete/accounts/pepper/read-or-create-pepper';
import type { SignedInBrowser, TestDashboard } from '@jobs-delete/dashboard/testing/start-test-dashboard';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { type Scene, startScene } from '../../dashboard/scene.ts';
import type { TestService } from '../../harness/service.ts';
import { until } from '../../harness/until.ts';
import { createClient } from '../../http/client.ts';
import { type Chromium, useChromium } from '../use-chromium.ts';

export interface DashboardVisitor extends Pick<Chromium, 'takeFaults'> {
  scene(): Scene;
  service(): TestService;
  dashboard(): TestDashboard;
  /** By name: passkeys need a host name. */
  origin(): string;
  /** Opens a browser without history, with the session of a member if one is given. */
  openBrowser(options?: BrowserContextOptions, member?: Pick<SignedInBrowser, 'cookies'>): Promise<Page>;
  signIn(accountId: string, role: Role, session?: Partial<Session>): Promise<SignedInBrowser>;
}

/**
 * Starts gateway, deleter and dashboard on the same storage, and a browser. Each test fails if a page logs, fails, breaks
 * its content security policy, or leaves its origin.
 */
export function visitDashboard(executablePath: string): DashboardVisitor {
  let scene: Scene;
  const origin = () => scene.dashboard.url.replace('127.0.0.1', 'localhost');

  beforeAll(async () => {
    scene = await startScene({ DASHBOARD_DELETES: 'on' }, { design: true });
  });
  const { openPage, takeFaults } = useChromium(executablePath, origin);
  afterAll(() => scene.stop());

  return {
    scene: () => scene,
    service: () => scene.service,
    dashboard: () => scene.dashboard,
    origin,
    openBrowser: async (options, member) => {
      const page = await openPage({ locale: 'en', timezoneId: 'UTC', ...options, baseURL: origin() });
      const secret = member?.cookies.get('session');
      if (secret !== undefined)
        await page.context().addCookies([{ name: 'session', value: secret, url: origin(), httpOnly: true }]);
      return page;
    },
    signIn: (...given) => scene.dashboard.signIn(...given),
    takeFaults,
  };
}

/** The account that the pages show. */
export interface FilledAccount {
  readonly accountId: string;
  readonly token: string;
  readonly secretKey: string;
  readonly origin: string;
  /** A deletion that can be cancelled. */
  readonly waitingId: string;
  /** A job of that deletion. */
  readonly waitingJobId: string;
  /** Values for the variable parts of paths, by the first part, such as `keys` of `/keys/:kind/:id`. */
  readonly params: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The query of a path that needs one. */
  readonly queries: Readonly<Record<string, string>>;
}

const dayMs = 86_400_000;

/** Creates an account with every kind of row that a page can have. */
export async function fillAccount(
  visitor: DashboardVisitor,
  now: () => number = () => Date.now(),
): Promise<FilledAccount> {
  const accountId = 'acme';
  const service = visitor.service();
  const { accounts } = service.operator;
  const client = await createClient(service, accountId);
  const pepper = readOrCreatePepper(service.dataDir);
  const expiring = { name: 'Importer of the warehouse in Saint-Étienne', expiresAtMs: now() + 3 * dayMs };
  const issued = await issueCredential(accounts, pepper, { kind: 'token', accountId, ...expiring }, now);
  const revoked = await issueCredential(
    accounts,
    pepper,
    { kind: 'secret-key', accountId, name: 'Old' },
    now,
  );
  if (issued.kind !== 'issued' || revoked.kind !== 'issued') throw new Error('no key was issued');
  await accounts.revokeCredential(accountId, revoked.credential, now());
  await accounts.allowDomain(accountId, '*.a-rather-long-name-of-a-department.acme.example');

  const { headers } = await client.call({ jobIds: await client.newJobs(30) });
  const deletionId = String(headers['deletion-id']);
  const isCompleted = async () =>
    (await service.operator.store.findReceipt(deletionId, accountId))?.state === 'completed';
  await until(isCompleted);
  const { store } = service.operator;
  await store.setRules(accountId, { limit: { kind: 'jobs', jobs: 5_000 } });
  const allowance = { id: 'allowance', jobs: 2_000, untilMs: now() + 4 * 3_600_000 };
  await store.addAllowance(accountId, allowance, now());
  const waiting = await visitor.scene().accept(accountId, { jobs: 3, delayMs: dayMs });
  const today = new Date(now()).toISOString().slice(0, 10);
  await accounts.addRefusals([
    { accountId, day: today, code: 'origin_not_allowed', count: 12_345 },
    { accountId, day: today, code: 'job_not_found', count: 1 },
  ]);
  const refused = { accountId, atMs: now(), environment: 'live', status: 403, tokenId: 'unknown' } as const;
  await accounts.addRefusedRequests([
    {
      ...refused,
      id: randomUUID(),
      code: 'origin_not_allowed',
      origin: 'https://a-rather-long-name-of-a-department.else.example:8443',
      client: 'a-client-with-a-rather-long-name/1.0 (of a machine with a long name)',
    },
    {
      ...refused,
      id: randomUUID(),
      environment: 'sandbox',
      code: 'job_not_found',
      tokenId: issued.credential.id,
      jobs: 10_000,
      wrongEntries: 100,
      wrongEntry: 'x'.repeat(128),
    },
  ]);

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
    waitingJobId: waiting.jobIds[0] ?? '',
    params: {
      keys: { kind: 'token', id: issued.credential.id },
      activity: { id: deletionId },
      safety: { id: allowance.id },
      people: { id: colleague.person.id },
      link: { secret: invitation.kind === 'invited' ? invitation.secret : '' },
    },
    queries: {
      '/domains/remove': `?domain=${encodeURIComponent(client.account.origin)}`,
      '/people/withdraw': `?invitation=${pending?.id ?? ''}`,
    },
  };
}
