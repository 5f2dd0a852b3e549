import { ReflectionService } from '@grpc/reflection';
import { packageDefinition } from '@jobs-delete/proto/load-deleter';
import { service as healthService } from 'grpc-health-check';

const servedHealth = 'grpc.health.v1.Health';

/** Server reflection, versions 1 and 1 alpha: for grpcurl and its like. */
export function describeServices(): ReflectionService {
  const services = ['jobs.deleter.v1.DeleterService', servedHealth];
  // Each type brings the descriptors of its file along.
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

/** By the names that the loader gives to the files: it makes one of each package. */
const imports: Readonly<Record<string, string>> = {
  'jobs_deleter_v1.proto': 'google_rpc.proto',
  'google_rpc.proto': 'google_protobuf.proto',
};

/**
 * The loader leaves out what a file imports (https://github.com/grpc/grpc-node/issues/2595), and clients written in Go,
 * grpcurl among them, refuse such a file. In a FileDescriptorProto the name is field 1 and stands first; each
 * `dependency` is a field 3, and may come last. All of them are shorter than 128 bytes, so a length is one byte.
 */
function withImports(file: Buffer): Buffer {
  const name = file.toString('latin1', 2, 2 + (file[1] ?? 0));
  const imported = imports[name];
  if (imported === undefined) return file;
  return Buffer.concat([file, Buffer.from([0x1a, imported.length]), Buffer.from(imported)]);
}
