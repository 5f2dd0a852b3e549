import type { Logger } from '@jobs-delete/runtime/telemetry/logger';
import { openDatabaseProbe } from '@jobs-delete/runtime/mongo/open-database-probe';
import { createMongoPool } from '@jobs-delete/runtime/mongo/mongo-pool';
import { createStopStack } from '@jobs-delete/runtime/process/stop-stack';
import { atOnce } from '@jobs-delete/runtime/process/wait-for';
import { watchCertificates } from '@jobs-delete/runtime/tls/watch-certificates';
import { createServiceContext, type ServiceContext } from '@jobs-delete/runtime/process/service-context';
import { createAuthenticator } from '@jobs-delete/accounts/authenticator';
import { openAccounts } from '@jobs-delete/accounts/open-accounts';
import { loadPepper } from '@jobs-delete/accounts/pepper/load-pepper';

import { createApp } from './app.ts';
import type { GatewayConfig } from './config.ts';
import { createGatewayMetrics } from './metrics.ts';
import { connectDeleter } from './deleter/deleter-client.ts';
import { messageClasses } from './http/server/message-classes.ts';
import { startHttpServer } from './http/server/start-http-server.ts';
import { createLoadShedder } from './limits/load-shedder.ts';
import { openAccountLimits } from './limits/open-account-limits.ts';
import { openFailedAuthentications } from './limits/open-failed-authentications.ts';

export interface RunningGateway {
  readonly port: number;
  /** Stops accepting, finishes what is in flight, and closes in reverse order of the start. */
  stop(): Promise<void>;
}

/** What is left of the caller's patience for the answer itself. */
const answeringMs = 500;

/** @throws StartupError, with nothing left running */
export async function startGateway(
  config: GatewayConfig,
  log: Logger,
  { health, registry, waitFor, tracing }: ServiceContext = createServiceContext(),
): Promise<RunningGateway> {
  const stack = createStopStack((name, error) => log.error({ err: error }, `stopping ${name} failed`));
  const wait = config.database.kind === 'mongodb' ? waitFor : atOnce;
  const pool = createMongoPool();
  const metrics = createGatewayMetrics(registry, pool);
  try {
    const accounts = await wait('database', () => openAccounts(config.database, { pool, inThread: true }));
    stack.push('accounts', () => accounts.close());
    const pepper = await wait('database', () => loadPepper(accounts, config));
    const database = await wait('database', () => openDatabaseProbe(config.database));
    stack.push('database probe', () => database?.close());
    // The gateway answers 503 by itself while it lacks something: a balancer's own page would take its place.
    const checkDatabase = database?.check ?? (() => accounts.findAccount('').then(() => undefined));
    health.watch({ name: 'database', check: checkDatabase, required: false });
    const certificates = config.deleterTls && watchCertificates(config.deleterTls, { log });
    if (certificates) {
      stack.push('certificates', certificates.stop);
      metrics.measureCertificate(() => certificates.current().expiresAtMs);
    }
    const { rateLimits, failedAuthentications, load, trustProxy } = config.protection;
    const onFallback = (error: unknown) => {
      metrics.onRateLimitFallback();
      log.warn({ err: error }, 'counting for the limits goes on in memory');
    };
    const accountLimits = await wait('database', () =>
      openAccountLimits(config.database, rateLimits, { onFallback }),
    );
    if (accountLimits !== undefined) stack.push('account limits', () => accountLimits.close());
    let isStopping = false;
    health.onStop(() => (isStopping = true));
    const deleter = connectDeleter({
      address: config.deleterAddress,
      serviceToken: config.serviceToken,
      certificates,
      timeoutMs: config.answerTimeoutMs - answeringMs,
      onCondition: (address, reason) => {
        // `serve` stops its own deleter too, which then does not serve.
        if (isStopping) return;
        if (reason === undefined) log.info({ deleter: address }, 'a deleter is well again and gets requests');
        else
          log.warn(
            { deleter: address, reason },
            'a deleter is sick and gets no requests while others are well',
          );
      },
    });
    metrics.measureDeleters(deleter);
    stack.push('deleter client', () => deleter.close());
    const checkDeleter = async () => (await deleter.check())?.reason;
    health.watch({ name: 'deleter', check: checkDeleter, required: 'until-up' });

    const onError = (error: unknown) => log.warn({ err: error }, 'recording the use of a credential failed');
    const authenticator = createAuthenticator({
      accounts,
      pepper,
      now: () => Date.now(),
      onError,
      onCredentialRead: metrics.onCredentialRead,
    });
    const loadShedder = createLoadShedder({ ...load, now: () => performance.now() });
    metrics.measureLoad(loadShedder);
    const app = createApp({
      ...config,
      authenticator,
      failedAuthentications: await openFailedAuthentications(failedAuthentications),
      accountLimits,
      loadShedder,
      deleter,
      trustProxy,
      log,
      tracing,
      onAnswered: metrics.onAnswered,
    });
    const server = await startHttpServer(app, {
      ...config,
      ...config.protection,
      messageClasses: messageClasses(app),
      // With a second to spare for the answer to be on its way.
      idleTimeoutMs: Math.max(config.idleTimeoutMs, config.answerTimeoutMs + 1_000),
      onImproper: (status) => {
        metrics.onImproper(status);
        log.info({ status }, 'improper request');
      },
      onConnectionDropped: metrics.onConnectionDropped,
    });
    stack.push('HTTP server', () => server.stop(config.shutdownTimeoutMs));
    health.onStop(server.drain);
    return { port: server.port, stop: stack.stop };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}
