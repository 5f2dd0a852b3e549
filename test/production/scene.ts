import { numberedIds, type Scene } from '../durability/scene.ts';
import type { TestAccount } from '../harness/service.ts';
import type { Cluster } from './cluster.ts';

/** Accounts and jobs in the cluster's database. The accounts have ids in common. */
export async function setClusterScene(
  cluster: Pick<Cluster, 'openOperator'>,
  jobCounts: Readonly<Record<string, number>>,
): Promise<Scene> {
  const operator = await cluster.openOperator();
  const accounts: TestAccount[] = [];
  const imported = new Map<string, readonly string[]>();
  try {
    for (const [accountId, count] of Object.entries(jobCounts)) {
      accounts.push(await operator.createAccount(accountId));
      const jobIds = [...numberedIds(accountId, count), ...numberedIds('Shared', Math.ceil(count / 10))];
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
