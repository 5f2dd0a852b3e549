import { ReflectionService } from '@grpc/reflection';
import { packageDefinition } from '@jobs-delete/proto/load-deleter';
import { service as healthService } from 'grpc-health-check';

const servedHealth = 'grpc.health.v1.Health';

/** Creates server reflection (v1 and v1alpha) for clients such as grpcurl. */
export function describeServices(): ReflectionService {
  const services = ['jobs.deleter.v1.DeleterService', servedHealth];
  // Each type includes the descriptors of its file.
  const health = healthService.Check?.requestType;
  const described = Object.entries(packageDefinition).map(([name, definition]) => {
    const { fileDescriptorProtos: files } = definition;
    return [
      name,
      Array.isArray(files) ? { ...definition, fileDescriptorProtos: files.map(withImports) } : definition,
    ];
  });
  return new ReflectionService(
    {
      ...(Object.fromEntries(described) as typeof packageDefinition),
      ...(health && { [servedHealth]: health }),
    },
    { services },
  );
}

/** Imported file by file name. The loader creates one file for each package. */
const imports: Readonly<Record<string, string>> = {
  'jobs_deleter_v1.proto': 'google_rpc.proto',
  'google_rpc.proto': 'google_protobuf.proto',
};

/**
 * Adds the imports that the loader omits (https://github.com/grpc/grpc-node/issues/2595): clients in Go, such as grpcurl,
 * refuse a file without them. In a FileDescriptorProto the name is field 1 and comes first; each `dependency` is a
 * field 3 and may come last. All are shorter than 128 bytes, so each length is one byte.
 */
function withImports(file: Buffer): Buffer {
  const name = file.toString('latin1', 2, 2 + (file[1] ?? 0));
  const imported = imports[name];
  if (imported === undefined) return file;
  return Buffer.concat([file, Buffer.from([0x1a, imported.length]), Buffer.from(imported)]);
}
