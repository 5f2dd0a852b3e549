import { Counter, Gauge, type Registry } from 'prom-client';
import type { Answer } from './fresh-value.ts';
import type { MongoPool } from '../mongo/mongo-pool.ts';

export interface GaugeText {
  readonly name: string;
  readonly help: string;
}

/** A gauge that is read when Prometheus asks. Where there is no answer in time, it is NaN rather than an old value. */
export function measuredGauge<Value>(
  registry: Registry,
  { name, help }: GaugeText,
  get: () => Promise<Answer<Value>>,
  pick: (value: Value) => number,
): void {
  const gauge: Gauge = new Gauge({
    name,
    help,
    registers: [registry],
    collect: async () => {
      const answer = await get();
      gauge.set(answer.kind === 'value' ? pick(answer.value) : NaN);
    },
  });
}

/** @param owner who has the pool; stands at the beginning of the name */
export function poolGauge(registry: Registry, owner: string, pool: MongoPool): void {
  const gauge = new Gauge({
    name: `${owner}_mongodb_connections`,
    help: 'Connections to MongoDB that are open, and those of them that are in use.',
    labelNames: ['state'],
    registers: [registry],
    collect: () => {
      gauge.set({ state: 'open' }, pool.open);
      gauge.set({ state: 'in_use' }, pool.inUse);
    },
  });
  const failures: Counter = new Counter({
    name: `${owner}_mongodb_checkout_failures_total`,
    help: 'How often no connection to MongoDB was to be had in time.',
    registers: [registry],
    collect: () => {
      failures.reset();
      failures.inc(pool.failures);
    },
  });
}

/** @param owner who shows the certificate to others; stands at the beginning of the name */
export function expiryGauge(registry: Registry, owner: string, expiresAtMs: () => number): void {
  const gauge: Gauge = new Gauge({
    name: `${owner}_certificate_expiry_timestamp_seconds`,
    help: 'When the certificate in use between the services expires, in seconds since the Unix epoch.',
    registers: [registry],
    collect: () => gauge.set(expiresAtMs() / 1_000),
  });
}
