import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createSeededRandom } from '@jobs-delete/deleter-service/testing/seeded-random';
import { createGate } from '../durability/gate.ts';
import { openOperator } from '../harness/service.ts';
import { freePorts, reapChildren, spawnChild } from '../harness/spawn-child.ts';
import { until } from '../harness/until.ts';
import { adminAt } from '../operations/admin.ts';
import { serviceToken } from '../production/cluster.ts';
import { root } from '../readme/readme.ts';
import { freePort } from '../servers/child-process.ts';
import { openLine } from '../servers/line.ts';
import { connectTo, createHistoryAccounts, startClients, type Campaign } from './campaign.ts';

/** Kills and freezes `jobs-delete serve`, and cuts the line between it and its callers. */
export async function runEmbeddedCampaign({
  seed,
  kills,
  pauseMs,
  clients,
  history,
}: Campaign): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'jobs-delete-history-'));
  const [PORT, GRPC_PORT, ADMIN_PORT] = await Promise.all([freePort(), freePort(), freePort()]);
  const ports = { PORT: String(PORT), GRPC_PORT: String(GRPC_PORT), ADMIN_PORT: String(ADMIN_PORT) };
  const env = {
    ...freePorts,
    ...ports,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    GRPC_SERVICE_TOKENS: serviceToken,
  };
  const start = async () => {
    const { child } = spawnChild(
      [process.execPath, join(root, 'cli/bin/jobs-delete.js'), 'serve', '--json'],
      { env },
    );
    await until(async () => (await adminAt(ports.ADMIN_PORT).readiness())?.ready, { what: 'serve is ready' });
    return child;
  };
  const line = await openLine({ port: PORT });
  const operator = openOperator(dataDir);
  const api = connectTo(`127.0.0.1:${ports.GRPC_PORT}`);
  try {
    const accounts = await createHistoryAccounts(operator);
    const gate = createGate();
    const load = startClients({ seed, clients, history, accounts, operator, service: gate, apis: [api] });
    const random = createSeededRandom(seed);
    const baseUrl = `http://127.0.0.1:${String(line.port)}`;
    let serve = await start();
    gate.open(baseUrl);
    const hit = async () => {
      await delay(random.fraction() * pauseMs);
      const chance = random.fraction();
      if (chance < 0.4) {
        gate.shut();
        const exited = once(serve, 'close');
        serve.kill('SIGKILL');
        await exited;
        serve = await start();
        gate.open(baseUrl);
      } else if (chance < 0.7) {
        serve.kill('SIGSTOP');
        await delay(random.fraction() * 2_000);
        serve.kill('SIGCONT');
      } else {
        if (chance < 0.85) line.swallow();
        else line.cut();
        await delay(random.fraction() * 1_000);
        // A connection that lost bytes can't go on.
        line.cut();
        line.mend();
      }
    };
    const hitAll = async () => {
      for (let kill = 0; kill < kills; kill++) await hit();
    };
    await Promise.all([load, hitAll().finally(() => gate.end())]);
  } finally {
    await reapChildren();
    api.close();
    await Promise.all([operator.close(), line.close()]);
    rmSync(dataDir, { recursive: true });
  }
}
