import type { GatewayConfig } from '@jobs-delete/gateway/config';

/** Limits that no variable sets. */
export interface GatewayLimits extends Partial<Omit<GatewayConfig, 'protection'>> {
  readonly protection?: Partial<GatewayConfig['protection']>;
}

export function withLimits(config: GatewayConfig, { protection, ...limits }: GatewayLimits): GatewayConfig {
  return { ...config, ...limits, protection: { ...config.protection, ...protection } };
}
