import { parseArgs } from 'node:util';
import { parseCell, allCells, targetCells, type Cell } from './cells.ts';

export interface BenchOptions {
  readonly cells: readonly Cell[];
  readonly rounds: number;
  /** Seconds of sending per run. The removal may take longer. */
  readonly seconds: number;
  /** Jobs in the collection that no run deletes. */
  readonly jobs: number;
  readonly mostJobs: number;
  readonly systems: readonly string[];
  readonly raw: boolean;
  readonly embedded: boolean;
  readonly growth: readonly number[];
  /** Replicas of each role. Undefined: one of each, or two apis for floods. */
  readonly replicas: number | undefined;
  readonly backlog: number;
  /** Numbers of concurrent callers with the largest requests. Empty: no floods. */
  readonly floods: readonly number[];
  /** True to measure the throughput while a part is sick. */
  readonly sick: boolean;
  /** True to measure valid callers beside callers with unknown tokens. */
  readonly unauthenticated: boolean;
  /** True to measure how accounts affect each other. */
  readonly neighbours: boolean;
  /** Cache size of mongod in GB. Undefined: its default. */
  readonly cacheGb: number | undefined;
  /** Jobs that the TypeScript client deletes, beside the load generator. 0: none. */
  readonly client: number;
  readonly profile: boolean;
  readonly json: boolean;
  readonly out: string | undefined;
}

export const usage = `npm run bench -- [options]

  --quick              a smoke test of about a minute: one short round of a few cells
  --cells 1x64,…       ids per request x requests in flight, with :xml for XML (default: the cells with targets)
  --all                all cells: 1 to 10,000 ids, with 1, 16 and 64 requests in flight, JSON and XML
  --rounds N           number of rounds; reports show the median (3)
  --seconds N          duration of sending per run (3)
  --jobs N             jobs in the collection that no run deletes (200000)
  --systems a,b        only these systems: jobs-delete, express, grpc-kafka, feathers
  --no-raw             skip the raw limits
  --no-embedded        skip the embedded pair
  --growth[=SIZES]     measure the cells at other sizes of the collection (100000,5000000)
  --replicas N         compare one replica of each role with N replicas
  --backlog[=JOBS]     measure the removal of accepted jobs that wait for a worker (1000000)
  --floods[=CALLERS]   measure callers with 10,000 ids each beside another account with 1 id (3,8,20,64), on
                       two apis or the number in --replicas
  --cache GB           cache size of mongod (half of the memory)
  --sick               measure the throughput of 1-id requests while apis, a worker, MongoDB or Kafka are sick
  --client[=JOBS]      compare the TypeScript client with the load generator (1000000)
  --unauthenticated    measure valid callers beside callers that send unknown tokens as fast as they can
  --neighbours         measure how accounts affect each other: many at once, floods, sandbox, status reads, a backlog
                       (of the size in --backlog)
  --profile            write CPU profiles of our processes to ./profiles, per cell
  --json               print all figures as one JSON value
  --out FOLDER         folder of the report and chart.svg (docs/benchmarks for a full run, otherwise none)
`;

/** Reads the command line. Throws on wrong usage. */
export function readOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({ args: args.map(withDefault), allowNegative: true, options: known });
  if (values.help === true) throw new Error('Measures jobs-delete and other ways to do the same.');
  const quick = values.quick ?? false;
  const cells =
    values.cells !== undefined
      ? values.cells.split(',').map(parseCell)
      : values.all === true
        ? allCells
        : quick
          ? [parseCell('1x64'), parseCell('1000x16')]
          : targetCells;
  const partial = [
    values.cells,
    values.systems,
    values.growth,
    values.replicas,
    values.backlog,
    values.floods,
    values.sick,
    values.client,
    values.unauthenticated,
    values.neighbours,
    values.all,
  ];
  const whole = !quick && partial.every((value) => value === undefined) && values.profile !== true;
  return {
    cells,
    rounds: number(values.rounds, quick ? 1 : 3),
    seconds: number(values.seconds, quick ? 1 : 3),
    jobs: number(values.jobs, quick ? 20_000 : 200_000),
    mostJobs: quick ? 20_000 : Infinity,
    systems: readSystems(values.systems),
    raw: values.raw ?? true,
    embedded: values.embedded ?? true,
    growth: values.growth?.split(',').map(Number) ?? [],
    replicas: values.replicas === undefined ? undefined : number(values.replicas, 1),
    backlog: number(values.backlog, 0),
    floods: values.floods?.split(',').map(Number) ?? [],
    sick: values.sick ?? false,
    unauthenticated: values.unauthenticated ?? false,
    neighbours: values.neighbours ?? false,
    cacheGb: values.cache === undefined ? undefined : number(values.cache, 1),
    client: number(values.client, 0),
    profile: values.profile ?? false,
    json: values.json ?? false,
    out: values.out ?? (whole ? 'docs/benchmarks' : undefined),
  };
}

const systemNames: readonly string[] = ['jobs-delete', 'express', 'grpc-kafka', 'feathers'];

const known = {
  quick: { type: 'boolean' },
  cells: { type: 'string' },
  all: { type: 'boolean' },
  help: { type: 'boolean' },
  rounds: { type: 'string' },
  seconds: { type: 'string' },
  jobs: { type: 'string' },
  systems: { type: 'string' },
  raw: { type: 'boolean' },
  embedded: { type: 'boolean' },
  growth: { type: 'string' },
  replicas: { type: 'string' },
  backlog: { type: 'string' },
  floods: { type: 'string' },
  sick: { type: 'boolean' },
  unauthenticated: { type: 'boolean' },
  neighbours: { type: 'boolean' },
  cache: { type: 'string' },
  client: { type: 'string' },
  profile: { type: 'boolean' },
  json: { type: 'boolean' },
  out: { type: 'string' },
} as const;

/** Adds the default value to an option without a value. */
function withDefault(argument: string): string {
  if (argument === '--floods') return '--floods=3,8,20,64';
  if (argument === '--growth') return '--growth=100000,5000000';
  if (argument === '--backlog') return '--backlog=1000000';
  if (argument === '--client') return '--client=1000000';
  return argument;
}

function readSystems(text: string | undefined): readonly string[] {
  const names = text?.split(',') ?? systemNames;
  const unknown = names.filter((name) => !systemNames.includes(name));
  if (unknown.length > 0)
    throw new Error(`unknown system: ${unknown.join(', ')}; the systems are ${systemNames.join(', ')}`);
  return names;
}

function number(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new Error(`not a positive number: ${text}`);
  return value;
}
