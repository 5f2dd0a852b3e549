/** Limits of unauthenticated callers, of a gateway and of a dashboard. docs/decisions/unknown-callers.md explains the values. */
export interface UnauthenticatedLimits {
  /** See createConnectionLimit. */
  readonly maxConnections: number;
  /** Limit of each remote network that is no trusted proxy; 0 for no limit. */
  readonly maxConnectionsPerAddress: number;
  /** Authentications of unknown callers that wait for a permit; 0 for no queue and no limit. */
  readonly maxWaitingAuthentications: number;
}

export const unauthenticatedLimits: UnauthenticatedLimits = {
  // More than a replica serves at its full rate.
  maxConnections: 10_000,
  // Half: one network cannot keep all of them busy.
  maxConnectionsPerAddress: 5_000,
  // At 400 look-ups a second, the last one waits for 2.5 s: less than the answer timeout.
  maxWaitingAuthentications: 1_000,
};
