import { grpcLimits } from './grpc-limits.ts';
import { kafkaLimits } from './kafka-limits.ts';
import { mongoLimits } from './mongo-limits.ts';
import { parserLimits } from './parser-limits.ts';

export interface RawOrder {
  readonly databaseUrl: string;
  readonly accountId: string;
  readonly firstJob: number;
  readonly jobs: number;
  readonly kafkaBrokers: readonly string[];
  readonly topic: string;
  readonly grpcPort: number;
  readonly seconds: number;
}

// A separate process, so the figures contain no work of the bench itself.
process.once('message', (order: RawOrder) => {
  void measure(order).then((figures) => process.send?.(figures, () => process.exit(0)));
});

async function measure(order: RawOrder): Promise<Record<string, number>> {
  const { databaseUrl, accountId, firstJob, jobs, kafkaBrokers, topic, grpcPort, seconds } = order;
  return {
    ...(await mongoLimits(databaseUrl, { accountId, firstJob, count: jobs }, seconds)),
    ...(await kafkaLimits(kafkaBrokers, topic, seconds)),
    ...(await grpcLimits(grpcPort, seconds)),
    ...parserLimits(30),
  };
}
