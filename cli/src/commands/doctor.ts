import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { X509Certificate } from 'node:crypto';
import { examinePepper as comparePepper } from '@jobs-delete/accounts/pepper/load-pepper';
import { isEmbedded, readDeleterConfig } from '@jobs-delete/deleter-service/config';
import { readGatewayConfig, type GatewayConfig } from '@jobs-delete/gateway/config';
import { readDashboardConfig, type DashboardConfig } from '@jobs-delete/dashboard/config';
import { isLoopback } from '@jobs-delete/runtime/config/addresses';
import { readAll } from '@jobs-delete/runtime/config/read-environment';
import { findUnknownVariables, unknownVariableText } from '@jobs-delete/runtime/config/variables';
import { ConfigurationError } from '@jobs-delete/runtime/startup-error';
import type { Command } from 'commander';
import {
  parseCertificates,
  parseChain,
  readPemFiles,
  type TlsFiles,
} from '@jobs-delete/runtime/tls/certificates';
import { readCliConfig, serveVariables, type CliConfig } from '../config.ts';
import { dashboardPortFile } from '../dashboard-port.ts';
import { examineDatabases, examineEventLog } from '../doctor/examine-storage.ts';
import { findings, ok, problem, warning, type Finding } from '../doctor/finding.ts';
import { callerVariables } from '../delete/read-caller.ts';
import type { Io } from '../io.ts';
import { withAccounts } from '../open-storage.ts';
import { printable, report, type ReportOptions } from '../report.ts';
import { subcommand } from './options.ts';

const services = ['gateway', 'dashboard', 'deleter'] as const;
type Service = (typeof services)[number];

export function doctorCommand(io: Io): Command {
  return subcommand(
    'doctor',
    'check configuration, files, pepper, connections, indexes, topics, clock and certificates',
  )
    .choiceOption(
      '--service <name>',
      'the service of this environment (default: gateway and deleter)',
      services,
    )
    .notes('Deletes and publishes nothing. Exits with 1 if there is a problem.')
    .examples('jobs-delete doctor', 'jobs-delete doctor --service gateway --json')
    .action(async (options: ReportOptions & { readonly service?: Service }) => {
      const found = await examine(io, options.service);
      const isHealthy = found.every(({ state }) => state !== 'problem');
      const value = {
        healthy: isHealthy,
        findings: found.map((finding) => ({ ...finding, advice: finding.advice ?? null })),
      };
      report(io, options, value, () => found.flatMap(lines));
      if (!isHealthy) io.exitCode = 1;
    });
}

/** Finds variables that look misspelt. */
function examineNames(env: NodeJS.ProcessEnv): readonly Finding[] {
  const known = { ...serveVariables, ...callerVariables };
  return findUnknownVariables(env, known).map((unknown) =>
    warning('configuration', unknownVariableText(unknown), 'Rename it or remove it.'),
  );
}

function lines({ subject, state, message, advice }: Finding): string[] {
  const line = `${state.padEnd(7)}  ${subject}: ${printable(message)}`;
  return advice === undefined ? [line] : [line, `${' '.repeat(9)}${advice}`];
}

/** Checks everything, or reports all configuration problems. */
async function examine(io: Io, service: Service | undefined): Promise<readonly Finding[]> {
  const { env, now } = io;
  try {
    const isFor = (name: Service) => (service === undefined ? name !== 'dashboard' : service === name);
    const [config, gateway, dashboard, deleter] = await readAll([
      () => readCliConfig(env),
      () => (isFor('gateway') ? readGatewayConfig(env) : undefined),
      () => (isFor('dashboard') ? readDashboardConfig(env) : undefined),
      () => (isFor('deleter') ? readDeleterConfig(env) : undefined),
    ]);
    const tls = gateway?.deleterTls ?? dashboard?.deleterTls ?? deleter?.tls;
    const database = await examineDatabases(config, service, now);
    const canReadAccounts = service !== 'deleter' && database.every(({ state }) => state !== 'problem');
    return [
      ok('configuration', 'is valid'),
      ...examineNames(env),
      ...examineDataFolder(config),
      ...database,
      ...(canReadAccounts ? await examinePepper(io, config) : []),
      // The dashboard does not use the event log.
      ...(service === 'dashboard' ? [] : await examineEventLog(config.eventLog, deleter?.receiptRetentionMs)),
      ...(dashboard === undefined ? [] : [judgeDashboardUrl(dashboard)]),
      ...(tls === undefined ? [] : await examineCertificates(tls, now())),
      // With embedded storage the deleter is in the same process.
      ...(isEmbedded(config) ? [] : await examineCalls(gateway, dashboard)),
    ];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const advice = 'Correct it: docs/configuration.md lists all variables.';
    return error.problems.map((text) => problem('configuration', text, advice));
  }
}

/** Loads gRPC, which the other commands do without. */
async function examineCalls(
  gateway: GatewayConfig | undefined,
  dashboard: DashboardConfig | undefined,
): Promise<readonly Finding[]> {
  const { examineDashboardCalls, examineDeleter } = await import('../doctor/examine-calls.ts');
  return [
    ...(gateway === undefined ? [] : await examineDeleter(gateway)),
    ...(dashboard === undefined ? [] : await examineDashboardCalls(dashboard)),
  ];
}

/** Warns of files that other users can access. They contain jobs and the key of the token hashes. */
function examineDataFolder({ dataDir, database, accounts, eventLog }: CliConfig): readonly Finding[] {
  const databases = [database, accounts.database, eventLog].flatMap((url) =>
    'path' in url ? [url.path] : [],
  );
  // Windows has no file modes.
  if (databases.length === 0 || process.platform === 'win32') return [];
  const own = ['credential-pepper', dashboardPortFile, 'demo.json', 'serve.lock'].map((name) =>
    join(dataDir, name),
  );
  const paths = [dataDir, ...own, ...new Set(databases.flatMap(withJournals))];
  const found = paths.filter((path) => existsSync(path));
  const loose = found.filter((path) => (statSync(path).mode & 0o077) !== 0);
  if (found.length === 0) return [];
  if (loose.length === 0) return [ok('data_folder', `only the owner can access ${dataDir}`)];
  const message = `Other users of this machine can access ${loose.join(', ')}`;
  return [warning('data_folder', message, `Run chmod go= ${loose.map(quoted).join(' ')}`)];
}

/** Returns the database file and SQLite's journals. */
function withJournals(path: string): string[] {
  return ['', '-wal', '-shm', '-journal'].map((suffix) => path + suffix);
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

/** Checks that the pepper fits the credentials, if there are any. */
function examinePepper(io: Io, config: CliConfig): Promise<readonly Finding[]> {
  return findings('pepper', 'Without it no credential works, and new ones must be issued.', async () => {
    const outcome = await withAccounts(io, (accounts) => comparePepper(accounts, config.accounts));
    return outcome === 'fits' ? [ok('pepper', 'fits the credentials in the database')] : [];
  });
}

/** Judges the address that people open. Cookies and invitations depend on it. */
function judgeDashboardUrl({ publicUrl }: Pick<DashboardConfig, 'publicUrl'>): Finding {
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

const dayMs = 86_400_000;

/** Checks more than the services do at the start: expiry, chain and names. */
function examineCertificates(files: TlsFiles, nowMs: number): Promise<readonly Finding[]> {
  return findings('certificates', 'Issue the certificate and its key again.', () => {
    const { certificate, caCertificate } = parseCertificates(readPemFiles(files));
    const own = parseChain(certificate);
    const trusted = parseChain(caCertificate);
    return [
      judgeExpiry(own[0], files.GRPC_TLS_CERT, nowMs),
      ...trusted
        .filter(({ validTo }) => Date.parse(validTo) - nowMs < 30 * dayMs)
        .map((authority) => judgeExpiry(authority, files.GRPC_TLS_CA, nowMs)),
      ...judgeChain(own, trusted, files),
    ];
  });
}

function judgeExpiry({ subject, validTo }: X509Certificate, path: string, nowMs: number): Finding {
  const days = Math.floor((Date.parse(validTo) - nowMs) / dayMs);
  const message = `${path} (${subject.replaceAll('\n', ', ')}) is valid until ${validTo}`;
  if (days < 0) return problem('certificates', message, 'Issue a new certificate.');
  return days < 14
    ? warning('certificates', message, 'Issue a new certificate. The services load it without a restart.')
    : ok('certificates', message);
}

function judgeChain(own: X509Certificate[], trusted: X509Certificate[], files: TlsFiles): Finding[] {
  const found: Finding[] = [];
  const noAuthority = trusted.filter(({ ca }) => !ca).map(({ subject }) => subject.replaceAll('\n', ', '));
  if (noAuthority.length > 0) {
    const message = `${files.GRPC_TLS_CA} contains a certificate that is not an authority's: ${noAuthority.join('; ')}`;
    found.push(problem('certificates', message, "Replace it with the authority's own certificate."));
  }
  const last = own.at(-1);
  const issuer = trusted.find(
    (authority) => last?.checkIssued(authority) && last.verify(authority.publicKey),
  );
  if (issuer === undefined && !trusted.some(({ raw }) => last?.raw.equals(raw))) {
    const message = `${files.GRPC_TLS_CERT} is not issued by an authority in ${files.GRPC_TLS_CA}`;
    const advice = 'Append the intermediate certificates. Ignore this if each side has its own authority.';
    found.push(warning('certificates', message, advice));
  }
  if (own[0]?.subjectAltName === undefined) {
    const message = `${files.GRPC_TLS_CERT} has no subject alternative name`;
    found.push(problem('certificates', message, 'Issue it for the DNS name of the service.'));
  }
  return found;
}
