import { randomBytes } from 'node:crypto';
import { isEmbedded, readDeleterConfig, type DeleterConfig } from '@jobs-delete/deleter-service/config';
import type { Callers } from '@jobs-delete/deleter-service/grpc/callers';
import { startDeleter } from '@jobs-delete/deleter-service/start-deleter';
import { readGatewayConfig, type GatewayConfig } from '@jobs-delete/gateway/config';
import { startGateway } from '@jobs-delete/gateway/start-gateway';
import { isDataFolderLocked, lockDataFolder } from '@jobs-delete/runtime/sqlite/lock-data-folder';
import type { Logger } from '@jobs-delete/runtime/telemetry/logger';
import { readAll, requireFreePorts } from '@jobs-delete/runtime/config/read-environment';
import { runUntilSignal } from '@jobs-delete/runtime/process/run-until-signal';
import { createStopStack } from '@jobs-delete/runtime/process/stop-stack';
import { withServiceContext, type ServiceContext } from '@jobs-delete/runtime/process/service-context';
import { Command } from 'commander';
import { demoCurl } from '../demo/demo-curl.ts';
import { seedDemo, type Demo } from '../demo/seed-demo.ts';
import { createServeLogger } from '../readable-log.ts';

interface ServeOptions {
  readonly demo?: boolean;
  readonly json?: boolean;
}

/** The addresses of the running process. */
interface Ready {
  readonly base_url: string;
  readonly grpc_port: number | undefined;
  readonly admin_port: number | undefined;
  readonly data_dir: string;
}

export function serveCommand(): Command {
  return new Command('serve')
    .description('run the gateway and the deleter service in one process')
    .option('--demo', 'on an empty data folder, create an account with credentials and 1,000 jobs')
    .option('--json', 'print the addresses as one JSON value')
    .addHelpText(
      'after',
      '\nReads PORT, GRPC_PORT, DATA_DIR and the other variables of docs/configuration.md. Ends on SIGTERM or SIGINT.',
    )
    .action((options: ServeOptions) =>
      runUntilSignal(
        () => serve(options),
        ({ greeting }) => process.stdout.write(greeting),
      ),
    );
}

async function serve(options: ServeOptions): Promise<{ greeting: string; stop(): Promise<void> }> {
  const [gatewayConfig, deleterConfig] = await readAll([
    () => readGatewayConfig(process.env),
    () => readDeleterConfig(process.env),
    () => requirePorts(process.env),
  ]);
  const log = await createServeLogger(gatewayConfig.logLevel);
  // Before the admin port: when another process uses both, the message must name the data folder.
  if (isEmbedded(deleterConfig)) lockDataFolder(deleterConfig.dataDir)();
  return withServiceContext(gatewayConfig.operations, log, (context) =>
    startBoth(gatewayConfig, deleterConfig, log, context, options),
  );
}

async function startBoth(
  gatewayConfig: GatewayConfig,
  deleterConfig: DeleterConfig,
  log: Logger,
  context: ServiceContext,
  options: ServeOptions,
): Promise<{ greeting: string; stop(): Promise<void> }> {
  const stack = createStopStack((name, error) => log.error({ err: error }, `stopping ${name} failed`));
  try {
    const { callers, serviceToken } = addOwnCaller(deleterConfig.grpc.callers);
    const grpc = { ...deleterConfig.grpc, callers };
    const deleter = await startDeleter({ ...deleterConfig, grpc }, log.child({ part: 'deleter' }), context);
    stack.push('deleter', () => deleter.stop());
    // A certificate is valid for a name, not an IP address.
    const grpcHost = reachable(deleterConfig.grpc.host);
    const deleterHost = deleterConfig.tls && grpcHost === '127.0.0.1' ? 'localhost' : grpcHost;
    const deleterAddress = `${deleterHost}:${String(deleter.grpcPort)}`;
    const gateway = await startGateway(
      { ...gatewayConfig, deleterAddress, serviceToken },
      log.child({ part: 'gateway' }),
      context,
    );
    stack.push('gateway', () => gateway.stop());

    const baseUrl = baseUrlOf(gatewayConfig, gateway.port);
    const demo = options.demo === true ? await seedDemo(gatewayConfig, baseUrl) : undefined;
    const ready: Ready = {
      base_url: baseUrl,
      grpc_port: deleter.grpcPort,
      admin_port: context.adminPort,
      data_dir: gatewayConfig.dataDir,
    };
    const greeting =
      options.json === true
        ? `${JSON.stringify(ready)}\n`
        : banner(ready, { ...options, docs: gatewayConfig.docs }, demo);
    return { greeting, stop: stack.stop };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

/** The spaces prevent a conflict with names in GRPC_CALLERS and GRPC_SERVICE_TOKENS. */
const ownCaller = 'the gateway of serve';

/**
 * Gives the gateway of this process a token that exists in memory only. Every user of the machine can connect to the
 * gRPC port, so a call without a token or certificate is refused. Callers that the operator configured stay as they are.
 */
function addOwnCaller(configured: Callers | undefined): { callers: Callers; serviceToken: string } {
  const serviceToken = randomBytes(32).toString('base64url');
  const tokens = [...(configured?.tokens ?? []), { caller: ownCaller, token: serviceToken }];
  const roles = new Map([...(configured?.roles ?? []), [ownCaller, 'delete'] as const]);
  return { callers: { tokens, roles }, serviceToken };
}

/** Checks that the ports are free, unless the data folder is in use, which is the better message. */
async function requirePorts(env: NodeJS.ProcessEnv): Promise<void> {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const { DATA_DIR = './data', HOST = '127.0.0.1', PORT = 8_080 } = present;
  const { GRPC_HOST = '127.0.0.1', GRPC_PORT = 50_051 } = present;
  const { ADMIN_HOST = '127.0.0.1', ADMIN_PORT = 9_464 } = present;
  if (isDataFolderLocked(DATA_DIR)) return;
  const ports = [
    { variable: 'PORT', host: HOST, port: Number(PORT) },
    { variable: 'GRPC_PORT', host: GRPC_HOST, port: Number(GRPC_PORT) },
    { variable: 'ADMIN_PORT', host: ADMIN_HOST, port: Number(ADMIN_PORT) },
  ];
  await requireFreePorts(ports.filter(({ port }) => Number.isInteger(port) && port >= 0 && port <= 65_535));
}

function baseUrlOf({ host, basePath, publicTls }: GatewayConfig, port: number): string {
  return `${publicTls ? 'https' : 'http'}://${reachable(host)}:${String(port)}${basePath}`;
}

function reachable(host: string): string {
  return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
}

function banner(ready: Ready, options: ServeOptions & { docs: boolean }, demo: Demo | undefined): string {
  const { base_url, grpc_port = 'none', admin_port = 'none', data_dir } = ready;
  const lines = [
    `jobs-delete is ready on ${base_url} (gRPC port ${grpc_port}, admin port ${admin_port}), data in ${data_dir}`,
  ];
  if (options.docs) lines.push(`Documentation: ${base_url}/docs`);
  if (demo !== undefined && demo.job_ids.length > 0) {
    lines.push('', 'Delete two of the demo jobs:', '', demoCurl(demo), '');
    lines.push(`Then: npx jobs-delete jobs show ${demo.job_ids[0] ?? ''}`, '');
  } else if (demo !== undefined) {
    lines.push('All demo jobs are deleted. Remove the data folder to start again.');
  } else if (options.demo === true) {
    lines.push('The database already has accounts, so no demo data was added.');
  }
  return `${lines.join('\n')}\n`;
}
