import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAccounts, type OpenAccounts } from '@jobs-delete/accounts/open-accounts';
import { hashSecret, newSecret } from '@jobs-delete/accounts/people/one-time-secret';
import { membershipOf, type Person, type Role, type Session } from '@jobs-delete/accounts/people/people';
import type { ServiceContext } from '@jobs-delete/runtime/process/service-context';
import { createLogger } from '@jobs-delete/runtime/telemetry/logger';
import { readDashboardConfig } from '../config.ts';
import { startDashboard } from '../start-dashboard.ts';
import type { Route } from '../web/route.ts';
import { createTestBrowser, type TestBrowser } from './test-browser.ts';

export interface TestDashboard {
  readonly url: string;
  /** The address that people open. */
  readonly publicUrl: string;
  /** Every page and form. */
  readonly routes: readonly Route[];
  /** The same store, as another process would open it. */
  readonly accounts: OpenAccounts;
  /** Returns a browser without a session. */
  browser(): TestBrowser;
  /** Adds a person to the account (and the account, if it is new), and returns a browser that is signed in. */
  signIn(accountId: string, role: Role, session?: Partial<Session>): Promise<SignedInBrowser>;
  stop(): Promise<void>;
}

export interface SignedInBrowser extends TestBrowser {
  readonly person: Person;
  /** The address in the account. */
  readonly email: string;
  readonly session: Session;
}

export interface TestDashboardOptions {
  /** Default: stderr. */
  readonly logTo?: { write(line: string): void };
  readonly context?: ServiceContext;
  /** Serves the page `/design`. */
  readonly design?: boolean;
}

/** Starts a dashboard on an empty SQLite database. */
export async function startTestDashboard(
  env: NodeJS.ProcessEnv = {},
  { logTo, context, design = false }: TestDashboardOptions = {},
): Promise<TestDashboard> {
  const folder = mkdtempSync(join(tmpdir(), 'dashboard-'));
  const config = readDashboardConfig({ DATA_DIR: folder, DASHBOARD_PORT: '0', LOG_LEVEL: 'error', ...env });
  const accounts = await openAccounts(config.database);
  const log = createLogger(config.logLevel, 'dashboard', logTo);
  const dashboard = await startDashboard({ ...config, design }, log, context);
  // The name `localhost` may be an IPv6 address first.
  const url = `http://127.0.0.1:${String(dashboard.port)}`;
  const browser = (accountId?: string) => createTestBrowser(url, accountId);
  return {
    url,
    publicUrl: dashboard.url,
    routes: dashboard.routes,
    accounts,
    browser: () => browser(),
    signIn: async (accountId, role, fields = {}) => {
      await accounts.addAccount({ id: accountId, createdAtMs: Date.now() });
      const person = newPerson(accountId, role);
      await accounts.addPerson(person);
      const secret = newSecret();
      const session: Session = {
        hash: hashSecret(secret),
        id: randomBytes(12).toString('hex'),
        personId: person.id,
        accountId,
        createdAtMs: Date.now(),
        lastSeenAtMs: Date.now(),
        provenAtMs: Date.now(),
        ...fields,
      };
      await accounts.addSession(session);
      const signedIn = browser(accountId);
      signedIn.cookies.set('session', secret);
      return { ...signedIn, person, email: membershipOf(person, accountId)?.email ?? '', session };
    },
    stop: async () => {
      await dashboard.stop();
      await accounts.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function newPerson(accountId: string, role: Role): Person {
  const id = randomBytes(12).toString('hex');
  return {
    id,
    createdAtMs: Date.now(),
    memberships: [{ accountId, role, email: `${role}-${id}@${accountId}.example` }],
    passkeys: [],
  };
}
