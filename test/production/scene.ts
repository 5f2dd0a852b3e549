import { seedScene, type JobCounts, type Scene } from '../durability/scene.ts';
import type { Cluster } from './cluster.ts';

/** Creates the scene in the cluster's database. */
export async function setClusterScene(
  cluster: Pick<Cluster, 'openOperator'>,
  jobCounts: JobCounts,
): Promise<Scene> {
  return seedScene(await cluster.openOperator(), jobCounts);
}
