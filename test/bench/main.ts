import { parseArgs } from 'node:util';
import { messageOf } from '@jobs-delete/runtime/fault';
import { openBench, type Bench, type BenchOptions } from './bench.ts';
import { parseCell, targetCells } from './cells.ts';
import { measureBacklog } from './measure-backlog.ts';
import { measureCells } from './measure-cells.ts';
import { measureClient } from './measure-client.ts';
import { measureGrowth, measureReplicas } from './measure-growth.ts';
import { measureNeighbours } from './measure-neighbours.ts';
import { profileCells } from './measure-profile.ts';
import { measureSick } from './measure-sick.ts';
import { measureUnauthenticated } from './measure-unauthenticated.ts';
import { progress } from './progress.ts';
import { describeMachine } from './report/machine.ts';
import { writeReport, type Report } from './report/report.ts';
import { peerNames } from './systems.ts';

interface Measurement {
  /** Shown by --help. */
  readonly help: string;
  /** Value of the option without one. */
  readonly value?: string;
  readonly measure: (bench: Bench, options: BenchOptions, value: string) => Promise<Report>;
}

/** The options that measure something else than the cells. */
const measurements: Readonly<Record<string, Measurement>> = {
  growth: {
    help: 'the cells at other sizes of the collection',
    value: '100000,5000000',
    measure: measureGrowth,
  },
  replicas: {
    help: 'one replica of each role, compared with this many',
    value: '2',
    measure: measureReplicas,
  },
  backlog: { help: 'the removal of so many waiting jobs', value: '1000000', measure: measureBacklog },
  sick: { help: '1-id requests while apis, a worker, MongoDB or Kafka are sick', measure: measureSick },
  client: {
    help: 'the TypeScript client, compared with the load generator, with so many jobs',
    value: '1000000',
    measure: measureClient,
  },
  unauthenticated: {
    help: 'valid callers beside callers that send unknown tokens as fast as they can',
    measure: measureUnauthenticated,
  },
  neighbours: {
    help: 'how accounts affect each other, with a backlog of so many jobs',
    value: '1000000',
    measure: measureNeighbours,
  },
  profile: { help: 'CPU profiles of our processes, written to ./profiles, per cell', measure: profileCells },
};

const systemNames: readonly string[] = ['jobs-delete', ...peerNames];

const usage = `npm run bench -- [options]

  --quick              a smoke test of about a minute: one short round of a few cells
  --cells 1x64,…       ids per request x requests in flight, with :xml for XML (default: the cells with targets)
  --rounds N           number of rounds; reports show the median (3)
  --seconds N          duration of sending per run (3)
  --jobs N             jobs in the collection that no run deletes (200000)
  --systems a,b        only these systems: ${systemNames.join(', ')}
  --no-raw             skip the raw limits
  --no-embedded        skip the embedded pair
  --out FOLDER         folder of the report (docs/benchmarks for a full run, otherwise none)

Instead of the cells, one of these measures:

${Object.entries(measurements)
  .map(
    ([name, { help, value }]) =>
      `  --${name}${value === undefined ? '' : `[=${value}]`}`.padEnd(27) + ` ${help}`,
  )
  .join('\n')}
`;

export async function main(args: readonly string[]): Promise<void> {
  let wanted: ReturnType<typeof readOptions>;
  try {
    wanted = readOptions(args);
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n\n${usage}`);
    process.exitCode = 2;
    return;
  }
  const { name, value, options, out } = wanted;
  const { measure } = measurements[name] ?? { measure: measureCells };
  const machine = describeMachine();
  progress('starting MongoDB and Kafka');
  const bench = await openBench(options, name === 'sick');
  try {
    // The growth begins with fewer jobs.
    if (name !== 'growth') await bench.settings.jobs.fill(options.jobs);
    const report = await measure(bench, options, value);
    await writeReport(report, { name, machine, rounds: options.rounds, ...out });
  } finally {
    await bench.close();
  }
}

/** Reads the command line. Throws on wrong usage. */
function readOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: args.map((argument) => {
      const measurement = measurements[argument.slice(2)];
      return measurement === undefined ? argument : `${argument}=${measurement.value ?? ''}`;
    }),
    allowNegative: true,
    options: {
      ...Object.fromEntries(Object.keys(measurements).map((name) => [name, { type: 'string' as const }])),
      quick: { type: 'boolean' },
      help: { type: 'boolean' },
      cells: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      jobs: { type: 'string' },
      systems: { type: 'string' },
      raw: { type: 'boolean' },
      embedded: { type: 'boolean' },
      out: { type: 'string' },
    },
  });
  if (values.help === true) throw new Error('Measures jobs-delete and other ways to do the same.');
  const given = values as Readonly<Record<string, string | boolean | undefined>>;
  const [name = 'results', ...others] = Object.keys(measurements).filter((key) => given[key] !== undefined);
  if (others.length > 0) throw new Error(`measure one at a time: --${name}, --${others.join(', --')}`);
  const { quick = false, cells, systems, out } = values;
  const isWhole = name === 'results' && !quick && cells === undefined && systems === undefined;
  const folder = out ?? (isWhole ? 'docs/benchmarks' : undefined);
  const options: BenchOptions = {
    cells: cells?.split(',').map(parseCell) ?? (quick ? ['1x64', '1000x16'].map(parseCell) : targetCells),
    rounds: number(values.rounds, quick ? 1 : 3),
    seconds: number(values.seconds, quick ? 1 : 3),
    jobs: number(values.jobs, quick ? 20_000 : 200_000),
    mostJobs: quick ? 20_000 : Infinity,
    systems: readSystems(systems),
    raw: values.raw ?? true,
    embedded: values.embedded ?? true,
  };
  return {
    name,
    value: String(given[name] ?? ''),
    options,
    out: folder === undefined ? {} : { out: folder },
  };
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
