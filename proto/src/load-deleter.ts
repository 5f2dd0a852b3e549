import { fileURLToPath } from 'node:url';
import { loadPackageDefinition } from '@grpc/grpc-js';
import { loadSync, type PackageDefinition } from '@grpc/proto-loader';
import type { ProtoGrpcType as DeleterTypes } from './generated/deleter.ts';
import type { ProtoGrpcType as ErrorDetailTypes } from './generated/error_details.ts';
import type { ProtoGrpcType as StatusTypes } from './generated/status.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));

/** The contract as loaded at run time; the generated types describe exactly these options. */
export const packageDefinition: PackageDefinition = loadSync(
  ['jobs/deleter/v1/deleter.proto', 'google/rpc/status.proto', 'google/rpc/error_details.proto'],
  { includeDirs: [folder], longs: Number, enums: String, defaults: true, oneofs: true },
);

// grpc-js types each member as an unknown package. The generated types know them.
const loaded = loadPackageDefinition(packageDefinition) as unknown as DeleterTypes &
  ErrorDetailTypes &
  StatusTypes;

export const { DeleterService, UnavailableJobs } = loaded.jobs.deleter.v1;
export const { BadRequest, ErrorInfo, ResourceInfo, Status } = loaded.google.rpc;
