import { randomUUID } from 'node:crypto';
import type { DashboardConfig } from '@jobs-delete/dashboard/config';
import type { DeleterCalls } from '@jobs-delete/dashboard/deleter/deleter-calls';
import { connectDeleterCalls } from '@jobs-delete/dashboard/deleter/grpc-calls';
import type { GatewayConfig } from '@jobs-delete/gateway/config';
import { connectDeleter } from '@jobs-delete/gateway/deleter/deleter-client';
import { Fault } from '@jobs-delete/runtime/fault';
import { watchCertificates } from '@jobs-delete/runtime/tls/watch-certificates';
import { ok, problem, type Finding } from './finding.ts';

const timeoutMs = 5_000;
const log = { info: () => undefined, warn: () => undefined };

/** Calls the deleter as the gateway does, with a dry run. */
export async function examineDeleter(config: GatewayConfig): Promise<readonly Finding[]> {
  const { deleterAddress: address, deleterTls, serviceToken } = config;
  const certificates = deleterTls && watchCertificates(deleterTls, { log });
  const client = connectDeleter({ address, serviceToken: () => serviceToken, certificates, timeoutMs });
  const call = {
    accountId: 'doctor',
    jobIds: ['DOCTOR00'],
    dryRun: true,
    idempotencyKey: undefined,
    origin: {},
  };
  try {
    const trouble = await client.check();
    if (trouble?.isTokenRefused) return [refused(address, trouble.reason)];
    if (trouble !== undefined) {
      const advice = 'Check DELETER_ADDRESS, the network, GRPC_TLS_*, and the readiness of the api.';
      return [problem('deleter', `${address} cannot be used: ${trouble.reason}`, advice)];
    }
    await client.deleteJobs(call);
    return [ok('deleter', `${address} serves and lets the gateway delete`)];
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return [refused(address, error.message)];
  } finally {
    client.close();
    certificates?.stop();
  }
}

function refused(address: string, reason: string): Finding {
  const advice =
    "Set GRPC_SERVICE_TOKENS or a certificate that the api knows, and give that caller 'delete' in GRPC_CALLERS.";
  return problem('deleter', `${address} does not let the gateway delete: ${reason}`, advice);
}

/** Reads from the deleter as the dashboard does. Where people may delete there, also asks for a dry run. */
export async function examineDashboardCalls(config: DashboardConfig): Promise<readonly Finding[]> {
  const { deleterAddress: address, deleterTls, serviceToken } = config;
  const certificates = deleterTls && watchCertificates(deleterTls, { log });
  const client = connectDeleterCalls({ address, serviceToken: () => serviceToken, certificates, timeoutMs });
  try {
    await client.listDeletions({ accountId: 'doctor', pageSize: 1 });
    return [
      ok('deleter', `${address} serves and lets the dashboard read`),
      ...(config.deletes ? [await examineDeletes(address, client)] : []),
    ];
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const advice =
      "Check DELETER_ADDRESS, set GRPC_SERVICE_TOKENS or a certificate that the api knows, and give that caller 'manage' in GRPC_CALLERS.";
    return [problem('deleter', `${address} does not let the dashboard read: ${error.message}`, advice)];
  } finally {
    client.close();
    certificates?.stop();
  }
}

async function examineDeletes(address: string, client: DeleterCalls): Promise<Finding> {
  const origin = { person: '', userAgent: '', language: '', requestId: '' };
  const call = { accountId: 'doctor', deletionId: randomUUID(), jobIds: ['DOCTOR00'], isCheck: true, origin };
  try {
    await client.deleteJobs(call);
    return ok('deleter', `${address} lets the dashboard delete`);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const advice =
      "Give the dashboard's caller 'manage-and-delete' in GRPC_CALLERS of the api, or unset DASHBOARD_DELETES.";
    return problem('deleter', `${address} does not let the dashboard delete: ${error.message}`, advice);
  }
}
