import {
  hasDocker,
  startKafkaContainer,
  startMongoContainer,
  type ContainerServer,
} from './docker-servers.ts';
import { goProgram } from './go-program.ts';
import { kafkaClassPath } from './kafka-libraries.ts';
import { kubernetesPrograms } from './kubernetes-programs.ts';
import { kubernetesSchemas } from './kubernetes-schemas.ts';
import { kustomizeProgram } from './kustomize-program.ts';
import { mongodBinary } from './mongod-binary.ts';
import { OptionalNeed } from './optional-need.ts';
import { previousRelease } from './previous-release.ts';
import { promtoolBinary } from './promtool-binary.ts';
import { startKafka } from './start-kafka.ts';
import { startMongo } from './start-mongo.ts';

/** What suites check or start by themselves, each by its path. */
const programs = {
  'own mongodb': mongodBinary,
  'own kafka': kafkaClassPath,
  promtool: promtoolBinary,
  kustomize: kustomizeProgram,
  'kubernetes schemas': kubernetesSchemas,
  'kube-score': () =>
    goProgram({ name: 'kube-score', path: 'github.com/zegl/kube-score/cmd/kube-score', version: '1.20.0' }),
  kubernetes: kubernetesPrograms,
  'previous release': previousRelease,
} as const satisfies Record<string, () => Promise<string>>;
const programNames = Object.keys(programs) as (keyof typeof programs)[];

/**
 * What the suites may need: a server of the run, shared by all, or the means to start servers of their own, which
 * they kill and freeze; and programs. Each is available, or it is said why not.
 */
export const needs = [...(['mongodb', 'kafka'] as const), ...programNames] as const;
export type Need = (typeof needs)[number];
export type Availability =
  | { readonly url: string }
  // Where it is optional, its suites are skipped and none fails for it.
  | { readonly missing: string; readonly isOptional: boolean };
export type Servers = Readonly<Record<Need, Availability>>;

export interface AcquiredServers {
  readonly servers: Servers;
  stop(): Promise<void>;
}

interface Source {
  readonly url: string | undefined;
  readonly startContainer: () => Promise<ContainerServer>;
  readonly startNative: () => Promise<ContainerServer>;
}

/** Servers that the environment names; else containers, where there is a Docker engine; else native ones. */
export async function acquireServers(): Promise<AcquiredServers> {
  const docker = hasDocker();
  const stops: (() => Promise<void>)[] = [];
  const acquire = (source: Source) =>
    availability(async () => {
      if (source.url !== undefined && source.url !== '') return source.url;
      const start = (await docker) ? source.startContainer : source.startNative;
      const { url, stop } = await start();
      stops.push(stop);
      return url;
    });

  const [mongodb, kafka, ...found] = await Promise.all([
    acquire({
      url: process.env.TEST_MONGODB_URL,
      startContainer: startMongoContainer,
      startNative: startMongo,
    }),
    acquire({
      url: process.env.TEST_KAFKA_URL,
      startContainer: startKafkaContainer,
      startNative: async () => {
        const { brokers, stop } = await startKafka();
        return { url: `kafka://${brokers.join(',')}`, stop };
      },
    }),
    ...programNames.map((name) => availability(programs[name])),
  ]);
  const byName = Object.fromEntries(programNames.map((name, index) => [name, found[index]]));
  return {
    servers: { mongodb, kafka, ...byName } as Servers,
    stop: async () => {
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}

async function availability(url: () => Promise<string>): Promise<Availability> {
  try {
    return { url: await url() };
  } catch (error) {
    const isOptional = error instanceof OptionalNeed;
    return { missing: error instanceof Error ? error.message : String(error), isOptional };
  }
}
