import { watchCertificates } from '@jobs-delete/runtime/tls/watch-certificates';
import { createAcceptDeletion, type AcceptDeletion } from '../deletion/accept-deletion.ts';
import { createRuleReader } from '../deletion/read-rules.ts';
import type { Relay } from '../deletion/relay-outbox.ts';
import { followTokensFile } from '../grpc/callers.ts';
import { deleterHandlers } from '../grpc/deleter-handlers.ts';
import { createGrpcHealth } from '../grpc/grpc-health.ts';
import type { AnsweredCall } from '../grpc/call-interceptors.ts';
import { startGrpcServer, type GrpcServer } from '../grpc/start-grpc-server.ts';
import { groupCommit } from '../store/group-commit.ts';
import { storeAdapter } from '../store/open-store.ts';
import { traceAccept, traceGroups } from '../tracing.ts';
import type { Shared } from './shared.ts';

/** Serves gRPC. @param relay publishes at once what this process accepts; undefined without the role relay */
export async function startApi(shared: Shared, relay: Relay | undefined): Promise<GrpcServer> {
  const { config, log, store, clock, metrics, stack } = shared;
  const stopping = new AbortController();
  const { signal } = stopping;
  const onAnswered = (call: AnsweredCall) => {
    metrics.onAnswered(call);
    log.debug(call, 'call');
  };
  const handlers = deleterHandlers({
    store,
    clock,
    signal,
    retentionMs: config.receiptRetentionMs,
    acceptDeletion: composeAccept(shared, relay),
    onFault: (error) => log.error({ err: error }, 'a call failed'),
    onAnswered,
  });
  const grpcHealth = startHealth(shared, signal);
  const server = await startGrpcServer(handlers, {
    ...config.grpc,
    callers: followCallers(shared),
    certificates: loadCertificates(shared),
    health: grpcHealth.implementation,
    onAnswered,
  });
  stack.push('gRPC server', () => {
    grpcHealth.stop();
    stopping.abort();
    return server.stop(config.shutdownTimeoutMs);
  });
  return server;
}

/** From the outside in: spans and counters of each request, the domain, group commit, spans and sizes of each group. */
function composeAccept(shared: Shared, relay: Relay | undefined): AcceptDeletion {
  const { config, store, metrics, tracing, clock, random } = shared;
  const measured = traceGroups(metrics.measureGroups(store), tracing);
  const grouped = groupCommit(measured, { clock, ...storeAdapter(config.database).groupSizes });
  const { maxJobsPerRequest } = config;
  const readRules = createRuleReader({ store, clock });
  const accept = createAcceptDeletion({ store: grouped, relay, clock, random, maxJobsPerRequest, readRules });
  return traceAccept(metrics.countAccepted(accept), tracing);
}

function startHealth({ checkDatabase, clock, health, stack }: Shared, signal: AbortSignal) {
  const grpcHealth = createGrpcHealth({ check: checkDatabase, clock, signal });
  stack.push('gRPC health', grpcHealth.stop);
  health.onStop(grpcHealth.stop);
  return grpcHealth;
}

function followCallers({ config, log, stack }: Shared) {
  if (config.grpc.callers === undefined) return undefined;
  const { callers, stop } = followTokensFile(config.grpc.callers, { log });
  stack.push('service tokens', stop);
  return callers;
}

function loadCertificates({ config, log, metrics, stack }: Shared) {
  if (config.tls === undefined) return undefined;
  const certificates = watchCertificates(config.tls, { log });
  stack.push('certificates', certificates.stop);
  metrics.measureCertificate(() => certificates.current().expiresAtMs);
  return certificates;
}
