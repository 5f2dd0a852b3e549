import type { GatewayConfig } from '@jobs-delete/gateway/config';
import { connectDeleter } from '@jobs-delete/gateway/deleter/deleter-client';
import { Fault } from '@jobs-delete/runtime/fault';
import { watchCertificates } from '@jobs-delete/runtime/tls/watch-certificates';
import { ok, problem, type Finding } from './finding.ts';

const timeoutMs = 5_000;

/** Asks as the gateway does, for what has no effect. */
export async function examineDeleter(config: GatewayConfig): Promise<readonly Finding[]> {
  const { deleterAddress: address, deleterTls, serviceToken } = config;
  const log = { info: () => undefined, warn: () => undefined };
  const certificates = deleterTls && watchCertificates(deleterTls, { log });
  const client = connectDeleter({ address, serviceToken, certificates, timeoutMs });
  const nobodys = {
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
      const advice =
        'Look to DELETER_ADDRESS, to the network, to GRPC_TLS_*, and to the readiness of the api.';
      return [problem('deleter', `${address} cannot be used: ${trouble.reason}`, advice)];
    }
    await client.deleteJobs(nobodys);
    return [ok('deleter', `${address} serves, and lets the gateway delete`)];
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
    "Let GRPC_SERVICE_TOKENS or the certificate be one that the api knows, and GRPC_CALLERS give it 'delete'.";
  return problem('deleter', `${address} does not let the gateway delete: ${reason}`, advice);
}
