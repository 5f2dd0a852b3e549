import { randomBytes } from 'node:crypto';
import {
  startTestDashboard,
  type TestDashboard,
  type TestDashboardOptions,
} from '@jobs-delete/dashboard/testing/start-test-dashboard';
import type { Deletion, RequestOrigin } from '@jobs-delete/deleter-service/store/deletion';
import { accept, removeAndRecord } from '@jobs-delete/deleter-service/testing/deletions';
import { uuidAt } from '@jobs-delete/runtime/time/clock';
import { startService, type TestService } from '../harness/service.ts';
import { useStarted } from '../harness/use-service.ts';
import { ownStorageOf } from '../production/own-storage.ts';

/** A dashboard beside a gateway and a deleter, on the same storage. */
export interface Scene {
  readonly service: TestService;
  readonly dashboard: TestDashboard;
  /** Stores a deletion that no relay publishes. It stays `accepted` until `complete`. */
  accept(accountId: string, deletion?: NewDeletion): Promise<Deletion>;
  complete(deletion: Deletion, atMs?: number): Promise<void>;
  stop(): Promise<void>;
}

export interface NewDeletion {
  readonly jobs?: number;
  readonly acceptedAtMs?: number;
  /** Time until its removal. It can be cancelled until then. Default: it does not wait. */
  readonly delayMs?: number;
  /** Default: every text is empty. */
  readonly origin?: Partial<RequestOrigin>;
}

const nobody: RequestOrigin = {
  requestId: '',
  language: '',
  userAgent: '',
  clientTechnology: '',
  webOrigin: '',
  tokenId: '',
};
const farMs = 86_400_000;
let lastJob = 0;

/** Starts a dashboard on the storage of a running service. */
export function startDashboardBeside(
  { dataDir, baseUrl, grpcAddress }: TestService,
  env: NodeJS.ProcessEnv = {},
  options?: TestDashboardOptions,
): Promise<TestDashboard> {
  const own = {
    DATA_DIR: dataDir,
    DASHBOARD_API_URL: baseUrl,
    PUBLIC_URL: 'https://api.example.com',
    DELETER_ADDRESS: grpcAddress,
  };
  return startTestDashboard({ ...ownStorageOf(dataDir)?.env, ...own, ...env }, options);
}

export const useScene = (env?: NodeJS.ProcessEnv, options?: TestDashboardOptions): Scene =>
  useStarted(() => startScene(env, options));

/** @param env of the dashboard */
export async function startScene(
  env: NodeJS.ProcessEnv = {},
  options?: TestDashboardOptions,
): Promise<Scene> {
  const service = await startService();
  const dashboard = await startDashboardBeside(service, env, options);
  const { store } = service.operator;
  return {
    service,
    dashboard,
    accept: async (accountId, { jobs = 1, acceptedAtMs = Date.now(), delayMs, origin = {} } = {}) => {
      const jobIds = Array.from({ length: jobs }, () => `Scene${String(++lastJob).padStart(7, '0')}`);
      await service.operator.importJobs(accountId, jobIds);
      const dueAtMs = Date.now() + (delayMs ?? farMs);
      return accept(store, jobIds, {
        deletionId: uuidAt(acceptedAtMs, randomBytes(16)),
        accountId,
        acceptedAtMs,
        deadlineMs: undefined,
        origin: { ...nobody, ...origin },
        dueAtMs,
        ...(delayMs !== undefined && { removalAtMs: dueAtMs }),
      });
    },
    complete: async ({ id, accountId, claims }, atMs = Date.now()) => {
      await removeAndRecord(store, [{ deletionId: id, accountId, part: 0, parts: 1, claims }], atMs);
    },
    stop: async () => {
      await dashboard.stop();
      await service.stop();
    },
  };
}
