import type { DashboardConfig } from '@jobs-delete/dashboard/config';
import { connectDeleterCalls } from '@jobs-delete/dashboard/deleter/deleter-calls';
import { Fault } from '@jobs-delete/runtime/fault';
import { isLoopback } from '@jobs-delete/runtime/config/loopback';
import { watchCertificates } from '@jobs-delete/runtime/tls/watch-certificates';
import { ok, problem, warning, type Finding } from './finding.ts';

const timeoutMs = 5_000;

/** Judges the address that people open. Cookies and invitations depend on it. */
export function judgeDashboardUrl({ publicUrl }: Pick<DashboardConfig, 'publicUrl'>): Finding {
  if (publicUrl === undefined) {
    const message = 'DASHBOARD_URL is not set: invitations lead to localhost';
    return warning('dashboard', message, 'Set it to the address that people open.');
  }
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === 'https:' || isLoopback(hostname)) return ok('dashboard', `people open ${publicUrl}`);
  const message = `${publicUrl} is not encrypted: the network can read sessions`;
  return problem(
    'dashboard',
    message,
    'Put a proxy with HTTPS in front, and set DASHBOARD_URL to its address.',
  );
}

/** Reads from the deleter as the dashboard does. */
export async function examineDashboardCalls(config: DashboardConfig): Promise<readonly Finding[]> {
  const { deleterAddress: address, deleterTls, serviceToken } = config;
  const log = { info: () => undefined, warn: () => undefined };
  const certificates = deleterTls && watchCertificates(deleterTls, { log });
  const client = connectDeleterCalls({ address, serviceToken: () => serviceToken, certificates, timeoutMs });
  try {
    await client.listDeletions({ accountId: 'doctor', pageSize: 1 });
    return [ok('deleter', `${address} serves and lets the dashboard read`)];
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
