import { createAuthenticator, type Authenticator } from '@jobs-delete/accounts/authenticator';
import type { Accounts } from '@jobs-delete/accounts/accounts';
import { startRefusalRecorder, type RefusalRecorder } from '@jobs-delete/accounts/refusal-recorder';
import { startAccounts } from '@jobs-delete/accounts/start-accounts';
import {
  startWithStops,
  type StopStack,
  createServiceContext,
  type ServiceContext,
} from '@jobs-delete/runtime/process/service-context';
import type { Logger } from '@jobs-delete/runtime/telemetry/logger';
import { followServiceToken } from '@jobs-delete/proto/service-tokens';
import { systemClock } from '@jobs-delete/runtime/time/clock';
import type { Identity } from '@jobs-delete/runtime/tls/certificates';
import {
  watchCertificates,
  watchPublicCertificate,
  type WatchedFiles,
} from '@jobs-delete/runtime/tls/watch-certificates';

import { proxyCheckOf } from '@jobs-delete/runtime/net/remote-address';
import { createApp } from './app.ts';
import type { GatewayConfig } from './config.ts';
import { connectDeleter, type PooledDeleterClient } from './deleter/deleter-client.ts';
import { messageClasses, startHttpServer } from './http/server/start-http-server.ts';
import { createAuthenticationLimits } from './limits/authentication-limits.ts';
import { createLoadShedder } from './limits/load-shedder.ts';
import { openAccountLimits, type AccountLimits } from './limits/open-account-limits.ts';
import { createGatewayMetrics, type GatewayMetrics } from './metrics.ts';

export interface RunningGateway {
  readonly port: number;
  /** Stops accepting, finishes the requests in flight, and closes everything in reverse order of the start. */
  stop(): Promise<void>;
}

/** The context of every part of the start. Each part pushes its own stop. */
interface Start {
  readonly config: GatewayConfig;
  readonly log: Logger;
  readonly context: ServiceContext;
  readonly metrics: GatewayMetrics;
  readonly stack: StopStack;
}

/** Time of the answer timeout that stays for sending the answer. */
const answeringMs = 500;

/** @throws StartupError, after stopping everything that was started */
export async function startGateway(
  config: GatewayConfig,
  log: Logger,
  context: ServiceContext = createServiceContext(),
): Promise<RunningGateway> {
  return startWithStops(log, async (stack) => {
    const metrics = createGatewayMetrics(context.registry);
    const start: Start = { config, log, context, metrics, stack };
    const opened = await startAccounts(config, context, stack, metrics.pool);
    const { accounts } = opened;
    const authenticator = startAuthenticator(start, opened);
    const refusals = startRefusals(start, accounts);
    const accountLimits = await startAccountLimits(start);
    const deleter = startDeleterClient(start);
    const port = await startServer(start, { accounts, authenticator, refusals, accountLimits, deleter });
    return { port };
  });
}

type Opened = Awaited<ReturnType<typeof startAccounts>>;

function startAuthenticator({ log, metrics }: Start, { accounts, peppers }: Opened): Authenticator {
  return createAuthenticator({
    accounts,
    ...peppers,
    now: () => Date.now(),
    onError: (error) =>
      log.warn({ err: error }, 'recording the use, refusal or new hash of a credential failed'),
    onCredentialRead: metrics.onCredentialRead,
  });
}

function startRefusals({ log, metrics, stack }: Start, accounts: Accounts): RefusalRecorder {
  const refusals = startRefusalRecorder({
    accounts,
    clock: systemClock,
    onError: (error) => log.warn({ err: error }, 'recording refused requests failed'),
    onDropped: metrics.onRefusalsDropped,
    onUnlisted: metrics.onRefusalsUnlisted,
  });
  stack.push('refusal recorder', refusals.stop);
  return refusals;
}

async function startAccountLimits({
  config,
  log,
  context,
  metrics,
  stack,
}: Start): Promise<AccountLimits | undefined> {
  const onFallback = (error: unknown) => {
    metrics.onRateLimitFallback();
    log.warn({ err: error }, 'rate limits are counted in memory');
  };
  const limits = await context.waitFor('database', () =>
    openAccountLimits(config.database, config.protection.rateLimits, onFallback),
  );
  if (limits !== undefined) stack.push('account limits', () => limits.close());
  return limits;
}

function startDeleterClient(start: Start): PooledDeleterClient {
  const { config, log, context, metrics, stack } = start;
  const certificates = config.deleterTls && watchCertificates(config.deleterTls, { log });
  if (certificates) {
    stack.push('certificates', certificates.stop);
    metrics.measureCertificate(() => certificates.current().expiresAtMs);
  }
  const serviceToken = followServiceToken(config, { log });
  stack.push('service token', serviceToken.stop);
  let isStopping = false;
  context.health.onStop(() => (isStopping = true));
  const deleter = connectDeleter({
    address: config.deleterAddress,
    serviceToken: serviceToken.current,
    certificates,
    timeoutMs: config.answerTimeoutMs - answeringMs,
    onCondition: (address, reason) => {
      // `serve` stops its own deleter too, which then does not serve.
      if (!isStopping) logCondition(log, address, reason);
    },
  });
  stack.push('deleter client', () => deleter.close());
  metrics.measureDeleters(deleter);
  const check = async () => (await deleter.check())?.reason;
  context.health.watch({ name: 'deleter', check, required: 'until-up' });
  return deleter;
}

function logCondition(log: Logger, deleter: string, reason: string | undefined): void {
  if (reason === undefined) log.info({ deleter }, 'a deleter is well again and gets requests');
  else log.warn({ deleter, reason }, 'a deleter is sick and gets no requests while others are well');
}

interface ServerParts {
  readonly accounts: Accounts;
  readonly authenticator: Authenticator;
  readonly refusals: RefusalRecorder;
  readonly accountLimits: AccountLimits | undefined;
  readonly deleter: PooledDeleterClient;
}

async function startServer(start: Start, parts: ServerParts): Promise<number> {
  const { accounts, authenticator, refusals, accountLimits, deleter } = parts;
  const { config, log, context, metrics, stack } = start;
  const { load, trustProxy, maxConnections, maxConnectionsPerAddress, maxWaitingRequests } =
    config.protection;
  const loadShedder = createLoadShedder(load);
  metrics.measureLoad(loadShedder);
  const stopping = new AbortController();
  context.health.onStop(() => stopping.abort());
  const app = createApp({
    ...config,
    accounts,
    authenticator,
    authenticationLimits: createAuthenticationLimits(config.protection, log),
    accountLimits,
    loadShedder,
    deleter,
    trustProxy,
    maxWaitingRequests,
    stopping: stopping.signal,
    log,
    tracing: context.tracing,
    onAnswered: metrics.onAnswered,
    onAccountRefused: refusals.record,
  });
  const server = await startHttpServer(app, {
    ...config,
    certificate: watchCertificateOf(start),
    maxConnections,
    maxConnectionsPerAddress,
    isProxy: proxyCheckOf(app),
    messageClasses: messageClasses(app),
    // One second more than an answer may take, for sending it.
    idleTimeoutMs: Math.max(config.idleTimeoutMs, config.answerTimeoutMs + 1_000),
    onImproper: (status) => {
      metrics.onImproper(status);
      log.info({ status }, 'improper request');
    },
    onConnectionDropped: metrics.onConnectionDropped,
  });
  stack.push('HTTP server', () => server.stop(config.shutdownTimeoutMs));
  context.health.onStop(server.drain);
  return server.port;
}

function watchCertificateOf({ config, log, metrics, stack }: Start): WatchedFiles<Identity> | undefined {
  if (config.publicTls === undefined) return undefined;
  const certificate = watchPublicCertificate(config.publicTls, { log });
  stack.push('public certificate', certificate.stop);
  metrics.measurePublicCertificate(() => certificate.current().expiresAtMs);
  return certificate;
}
