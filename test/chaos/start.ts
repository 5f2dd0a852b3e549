import { parseArgs } from 'node:util';
import { createPlayer, describeEpisode, seconds, share, type Episode } from './episode.ts';
import { kinds } from './faults.ts';
import { startSite } from './site.ts';

const usage = `npm run chaos -- [--episodes N] [--from S]

Plays faults on gateways, apis, relay, worker, MongoDB and Kafka under load, each decided by its seed, and checks every guarantee.
  --episodes N  how many (default: 300)
  --from S      the first seed (default: 1)`;

const { values } = parseArgs({
  options: {
    episodes: { type: 'string', default: '300' },
    from: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});
const [from, count] = [Number(values.from), Number(values.episodes)];
if (!(from >= 0 && count >= 1)) throw new Error(`--from and --episodes must be numbers\n\n${usage}`);
if (values.help) console.log(usage);
else {
  const site = await startSite();
  const episodes: Episode[] = [];
  try {
    const play = createPlayer(site, { beforeMs: 2_000, afterMs: 2_000, drainBoundMs: 60_000 });
    for (let seed = from; seed < from + count; seed++) {
      const episode = await play(seed);
      console.log(describeEpisode(episode));
      if (episode.problems.length > 0) {
        console.error(episode.warnings.join('\n'));
        process.exitCode = 1;
      }
      episodes.push({ ...episode, warnings: [] });
    }
  } finally {
    console.log(table(episodes));
    await site.stop();
  }
}

/** One row for each kind, and one for all episodes with two faults. */
function table(episodes: readonly Episode[]): string {
  const row = (name: string, of: readonly Episode[]) => {
    const sum = (key: 'sent' | 'answered') => of.reduce((total, episode) => total + episode[key], 0);
    const slowest = Math.max(0, ...of.map(({ drainedMs }) => drainedMs));
    const failed = of.filter(({ problems }) => problems.length > 0).length;
    const cells = [of.length, failed, share(sum('answered'), sum('sent')), seconds(slowest)];
    return `${name.padEnd(16)}${cells.map((cell) => String(cell).padStart(16)).join('')}`;
  };
  const single =
    (kind: string) =>
    ({ plan }: Episode) =>
      plan.faults.length === 1 && plan.faults[0]?.kind === kind;
  return [
    `${'fault'.padEnd(16)}${['episodes', 'failed', 'answered', 'slowest drain'].map((head) => head.padStart(16)).join('')}`,
    ...kinds.map((kind) => row(kind, episodes.filter(single(kind)))),
    row(
      'two at once',
      episodes.filter(({ plan }) => plan.faults.length > 1),
    ),
  ].join('\n');
}
