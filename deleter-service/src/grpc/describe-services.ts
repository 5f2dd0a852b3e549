import { ReflectionService } from '@grpc/reflection';
import { packageDefinition } from '@jobs-delete/proto/load-deleter';
import { service as healthService } from 'grpc-health-check';

const servedHealth = 'grpc.health.v1.Health';

/** Server reflection, versions 1 and 1 alpha: for grpcurl and its like. */
export function describeServices(): ReflectionService {
  const services = ['jobs.deleter.v1.DeleterService', servedHealth];
  // Each type brings the descriptors of its file along.
  const health = healthService.Check?.requestType;
  return new ReflectionService(
    { ...packageDefinition, ...(health && { [servedHealth]: health }) },
    { services },
  );
}
