import { openOperator, type Operator, type TestAccount } from '../harness/service.ts';
import type { Pool } from './sent-requests.ts';

export interface Scene {
  readonly accounts: readonly TestAccount[];
  readonly pools: readonly Pool[];
  readonly imported: ReadonlyMap<string, readonly string[]>;
}

/** The number of jobs per account. */
export type JobCounts = Readonly<Record<string, number>>;

/** Creates accounts and jobs in a data folder. */
export function setScene(dataDir: string, jobCounts: JobCounts): Promise<Scene> {
  return seedScene(openOperator(dataDir), jobCounts);
}

/** Creates accounts and jobs, then closes the operator. Some job ids exist in every account. */
export async function seedScene(operator: Operator, jobCounts: JobCounts): Promise<Scene> {
  const accounts: TestAccount[] = [];
  const imported = new Map<string, readonly string[]>();
  try {
    for (const [accountId, count] of Object.entries(jobCounts)) {
      accounts.push(await operator.createAccount(accountId));
      const ownIds = numberedIds(accountId, count);
      // The same id in another account must not matter.
      const jobIds = [...ownIds, ...numberedIds('Shared', Math.ceil(count / 10))];
      await operator.importJobs(accountId, jobIds);
      imported.set(accountId, jobIds);
    }
  } finally {
    await operator.close();
  }
  const pools = accounts.map((account) => ({
    account,
    jobIds: imported.get(account.accountId) ?? [],
    foreignIds: [...imported].flatMap(([id, jobIds]) =>
      id === account.accountId ? [] : jobIds.filter((jobId) => jobId.startsWith(id)),
    ),
    next: 0,
  }));
  return { accounts, pools, imported };
}

export function numberedIds(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(6, '0')}`);
}
