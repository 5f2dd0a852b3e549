import { integer } from '@jobs-delete/runtime/config/variables';
import { readTlsFiles, tlsVariables, type TlsFiles } from '@jobs-delete/runtime/tls/certificates';
import { z } from 'zod';
import { serviceTokensVariables } from './service-tokens.ts';

/** The variables of a client of the deleter service; `readDeleterAccess` combines them. */
export const deleterAccessVariables = {
  DELETER_ADDRESS: z
    .string()
    .regex(/^(?:(?:dns:\/\/\/)?[^\s:/,]+:\d+|ipv4:\d[\d.:,]+)$/, {
      error: 'must be HOST:PORT, dns:///HOST:PORT or ipv4:ADDRESS:PORT,ADDRESS:PORT',
    })
    .default('127.0.0.1:50051')
    .describe('address of the api for a gateway: `HOST:PORT`, or `dns:///HOST:PORT` for several apis'),
  ...serviceTokensVariables,
  ...tlsVariables,
};

export interface DeleterAccess {
  /** One or several addresses of the deleter service, listed or behind a `dns:///` name. Calls are distributed over all. */
  readonly deleterAddress: string;
  /** Authenticates the client to the deleter service. */
  readonly serviceToken: string | undefined;
  /** Read again when it changes. */
  readonly serviceTokensFile: string | undefined;
  /** Certificates for the deleter service; undefined for gRPC without TLS. */
  readonly deleterTls: TlsFiles | undefined;
}

export function readDeleterAccess(values: z.output<z.ZodObject<typeof deleterAccessVariables>>): {
  readonly access: DeleterAccess;
  readonly problems: readonly string[];
} {
  const { files: tls, problems } = readTlsFiles(values);
  const access = {
    deleterAddress: values.DELETER_ADDRESS,
    serviceToken: values.GRPC_SERVICE_TOKENS[0]?.token,
    serviceTokensFile: values.GRPC_SERVICE_TOKENS_FILE,
    deleterTls: tls,
  };
  return { access, problems };
}

/** The limit of a request. The gateway checks it for callers of HTTP, and the api for callers of gRPC. */
export const maxJobsVariables = {
  MAX_JOBS_PER_REQUEST: integer(1, 10_000, 10_000).describe(
    'most jobs in a request; set the same value for gateway and api',
  ),
};
