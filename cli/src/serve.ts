import { randomBytes } from 'node:crypto';
import { isEmbedded, readDeleterConfig, type DeleterConfig } from '@jobs-delete/deleter-service/config';
import { readDashboardConfig, type DashboardConfig } from '@jobs-delete/dashboard/config';
import { startDashboard } from '@jobs-delete/dashboard/start-dashboard';
import type { Callers } from '@jobs-delete/deleter-service/grpc/callers';
import { startDeleter } from '@jobs-delete/deleter-service/start-deleter';
import { readGatewayConfig, type GatewayConfig } from '@jobs-delete/gateway/config';
import { startGateway } from '@jobs-delete/gateway/start-gateway';
import { isDataFolderLocked, lockDataFolder } from '@jobs-delete/runtime/sqlite/lock-data-folder';
import { createLogger, type Logger } from '@jobs-delete/runtime/telemetry/logger';
import type { LogLevel } from '@jobs-delete/runtime/config/operations-config';
import { readAll, readEnvironment, requireFreePorts } from '@jobs-delete/runtime/config/read-environment';
import { warnOfUnknownVariables } from '@jobs-delete/runtime/config/variables';
import {
  startWithStops,
  withServiceContext,
  type ServiceContext,
} from '@jobs-delete/runtime/process/service-context';
import { removeDashboardPort, writeDashboardPort } from './dashboard-port.ts';
import { addDemoHistory } from './demo-history.ts';
import { createDemoSignIn, demoCurl, seedDemo, type Demo } from './demo.ts';
import { serveVariables } from './config.ts';

export interface ServeOptions {
  readonly demo?: boolean;
  readonly resetDemo?: boolean;
  readonly demoHistory?: boolean;
  readonly json?: boolean;
}

/** The addresses of the running process. */
interface Ready {
  readonly base_url: string;
  readonly dashboard_url: string;
  readonly grpc_port: number | undefined;
  readonly admin_port: number | undefined;
  readonly data_dir: string;
}

interface Configs {
  readonly gateway: GatewayConfig;
  readonly deleter: DeleterConfig;
  readonly dashboard: DashboardConfig;
}

/** Runs gateway, deleter service and dashboard in this process, until `stop`. */
export async function serve(options: ServeOptions): Promise<{ greeting: string; stop(): Promise<void> }> {
  const [gateway, deleter, dashboard] = await readAll([
    () => readGatewayConfig(process.env),
    () => readDeleterConfig(process.env),
    () => readDashboardConfig(process.env),
    () => requirePorts(process.env),
  ]);
  const log = await createServeLogger(gateway.logLevel);
  warnOfUnknownVariables(process.env, serveVariables, log);
  // Before the admin port: when another process uses both, the message must name the data folder.
  if (isEmbedded(deleter)) lockDataFolder(deleter.dataDir)();
  return withServiceContext(gateway.operations, log, (context) =>
    startAll({ gateway, deleter, dashboard }, log, context, options),
  );
}

async function startAll(
  configs: Configs,
  log: Logger,
  context: ServiceContext,
  options: ServeOptions,
): Promise<{ greeting: string; stop(): Promise<void> }> {
  const part = (name: string) => log.child({ part: name });
  return startWithStops(log, async (stack) => {
    const { demo: isDemo = false, resetDemo = false } = options;
    const hasDemo = isDemo || resetDemo;
    const deletes = configs.dashboard.deletes ?? hasDemo;
    const { callers, tokens } = addOwnCallers(configs.deleter.grpc.callers, deletes);
    const grpc = { ...configs.deleter.grpc, callers };
    const deleter = await startDeleter({ ...configs.deleter, grpc }, part('deleter'), context);
    stack.push('deleter', () => deleter.stop());
    const { dataDir } = configs.gateway;
    // The deleter holds the lock of the data folder now.
    if (isEmbedded(configs.deleter)) removeDashboardPort(dataDir);
    const deleterAddress = addressOf(configs.deleter, deleter.grpcPort);
    const own = { deleterAddress, serviceTokensFile: undefined };
    const gatewayConfig = { ...configs.gateway, ...own, serviceToken: tokens.gateway };
    const gateway = await startGateway(gatewayConfig, part('gateway'), context);
    stack.push('gateway', () => gateway.stop());
    const baseUrl = baseUrlOf(configs.gateway, gateway.port);
    const apiUrl = configs.gateway.publicUrl === '' ? baseUrl : configs.dashboard.apiUrl;
    const dashboard = await startDashboard(
      { ...configs.dashboard, ...own, apiUrl, deletes, design: hasDemo, serviceToken: tokens.dashboard },
      part('dashboard'),
      context,
    );
    stack.push('dashboard', () => dashboard.stop());
    if (configs.dashboard.port === 0 && isEmbedded(configs.deleter)) {
      writeDashboardPort(dataDir, dashboard.port);
      stack.push('port of the dashboard', () => removeDashboardPort(dataDir));
    }

    const demo = hasDemo
      ? await seedDemo(configs.gateway, configs.deleter.database, baseUrl, resetDemo)
      : undefined;
    if (demo && options.demoHistory === true)
      addDemoHistory(configs.gateway.database, demo.account_id, Date.now());
    const signInUrl = hasDemo
      ? await createDemoSignIn(configs.dashboard, dashboard.url, demo !== undefined)
      : undefined;
    const ready: Ready = {
      base_url: baseUrl,
      dashboard_url: dashboard.url,
      grpc_port: deleter.grpcPort,
      admin_port: context.adminPort,
      data_dir: configs.gateway.dataDir,
    };
    const greeting =
      options.json === true
        ? `${JSON.stringify(ready)}\n`
        : banner(ready, { ...options, signInUrl, docs: configs.gateway.docs }, demo);
    return { greeting };
  });
}

/** A certificate is valid for a name, not an IP address. */
function addressOf({ grpc, tls }: DeleterConfig, port: number | undefined): string {
  const host = reachable(grpc.host);
  return `${tls && host === '127.0.0.1' ? 'localhost' : host}:${String(port)}`;
}

/**
 * Gives the gateway and the dashboard of this process a token each, which exists in memory only. Every user of the machine
 * can connect to the gRPC port, so a call without a token or certificate is refused. Callers that the operator configured
 * stay as they are.
 */
function addOwnCallers(configured: Callers | undefined, dashboardDeletes: boolean) {
  const tokens = { gateway: newToken(), dashboard: newToken() };
  // The spaces prevent a conflict with names in GRPC_CALLERS and GRPC_SERVICE_TOKENS.
  const own = [
    { name: 'the gateway of serve', role: 'delete', token: tokens.gateway },
    {
      name: 'the dashboard of serve',
      role: dashboardDeletes ? 'manage-and-delete' : 'manage',
      token: tokens.dashboard,
    },
  ] as const;
  const callers: Callers = {
    ...configured,
    tokens: [...(configured?.tokens ?? []), ...own.map(({ name, token }) => ({ caller: name, token }))],
    roles: new Map([...(configured?.roles ?? []), ...own.map(({ name, role }) => [name, role] as const)]),
  };
  return { callers, tokens };
}

function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Checks that the ports are free, unless the data folder is in use, which is the better message. */
async function requirePorts(env: NodeJS.ProcessEnv): Promise<void> {
  const { DATA_DIR, HOST, PORT, DASHBOARD_PORT, GRPC_HOST, GRPC_PORT, ADMIN_HOST, ADMIN_PORT } =
    serveVariables;
  const values = readEnvironment(
    { DATA_DIR, HOST, PORT, DASHBOARD_PORT, GRPC_HOST, GRPC_PORT, ADMIN_HOST, ADMIN_PORT },
    env,
  );
  if (isDataFolderLocked(values.DATA_DIR)) return;
  await requireFreePorts([
    { variable: 'PORT', host: values.HOST, port: values.PORT },
    { variable: 'DASHBOARD_PORT', host: values.HOST, port: values.DASHBOARD_PORT },
    { variable: 'GRPC_PORT', host: values.GRPC_HOST, port: values.GRPC_PORT },
    { variable: 'ADMIN_PORT', host: values.ADMIN_HOST, port: values.ADMIN_PORT },
  ]);
}

function baseUrlOf({ host, basePath, publicTls }: GatewayConfig, port: number): string {
  return `${publicTls ? 'https' : 'http'}://${reachable(host)}:${String(port)}${basePath}`;
}

function reachable(host: string): string {
  return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
}

function banner(
  ready: Ready,
  options: ServeOptions & { docs: boolean; signInUrl: string | undefined },
  demo: Demo | undefined,
): string {
  const { base_url, grpc_port = 'none', admin_port = 'none', data_dir } = ready;
  const lines = [
    `jobs-delete is ready on ${base_url} (gRPC port ${grpc_port}, admin port ${admin_port}), data in ${data_dir}`,
  ];
  if (options.docs) lines.push(`Documentation: ${base_url}/docs`);
  const { signInUrl } = options;
  if (signInUrl === undefined) lines.push(`Dashboard: ${ready.dashboard_url}`);
  else lines.push(`Dashboard: sign in once with ${signInUrl}`);
  if (demo !== undefined && demo.job_ids.length > 0) {
    lines.push('', 'Delete two of the demo jobs:', '', demoCurl(demo), '');
    lines.push(`Then: npx jobs-delete jobs show ${demo.job_ids[0] ?? ''}`, '');
  } else if (demo !== undefined) {
    lines.push('All demo jobs are deleted. Add --reset-demo to bring them back.');
  } else if (options.demo === true) {
    lines.push('The database already has accounts, so no demo data was added.');
  }
  return `${lines.join('\n')}\n`;
}

/** Logs in a readable form if stderr is a terminal, otherwise as JSON lines. */
async function createServeLogger(level: LogLevel): Promise<Logger> {
  if (!process.stderr.isTTY) return createLogger(level, 'jobs-delete');
  const { default: pretty } = await import('pino-pretty');
  const lines = pretty({
    destination: 2,
    sync: true,
    ignore: 'pid,name',
    translateTime: 'SYS:HH:MM:ss.l',
    singleLine: true,
  });
  return createLogger(level, 'jobs-delete', lines);
}
