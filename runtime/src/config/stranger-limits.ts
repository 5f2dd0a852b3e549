import type { z } from 'zod';
import { integer } from './read-environment.ts';

/** Variables of the limits of everybody who has proven nothing yet; `readStrangerLimits` combines them. */
export const strangerVariables = {
  MAX_CONNECTIONS: integer(1, 1_000_000, 10_000),
  MAX_CONNECTIONS_PER_ADDRESS: integer(0, 1_000_000, 5_000),
  MAX_WAITING_AUTHENTICATIONS: integer(0, 100_000, 1_000),
};

export interface StrangerLimits {
  readonly maxConnections: number;
  /** Limit of each remote network that is no trusted proxy; 0 for no limit. */
  readonly maxConnectionsPerAddress: number;
  /** Authentications of unknown callers that wait for their turn; 0 for no queue and no limit. */
  readonly maxWaitingAuthentications: number;
}

export function readStrangerLimits(values: z.output<z.ZodObject<typeof strangerVariables>>): StrangerLimits {
  return {
    maxConnections: values.MAX_CONNECTIONS,
    maxConnectionsPerAddress: values.MAX_CONNECTIONS_PER_ADDRESS,
    maxWaitingAuthentications: values.MAX_WAITING_AUTHENTICATIONS,
  };
}
