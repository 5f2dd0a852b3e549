import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkHistory, historyChecker, type Verdict } from './check-history.ts';
import { runEmbeddedCampaign } from './embedded-campaign.ts';
import { createHistory } from './history.ts';
import { runProductionCampaign } from './production-campaign.ts';

const usage = `npm run histories -- [options]

Repeats campaigns of kills, freezes and cuts on both storage pairs in turn, and checks every history for linearizability.
  --pair NAME     production or embedded; default: both
  --operations N  ends after so many calls; default: 1000000
  --minutes N     ends after this time; default: none
  --kills N       kills, freezes and cuts of a campaign; default: 60
  --pause MS      the longest pause between them; default: 10000
  --clients N     groups of three callers; default: 24
  --seed N        draws the same plans again; default: a random one`;

const { values } = parseArgs({
  options: {
    operations: { type: 'string', default: '1000000' },
    minutes: { type: 'string', default: 'Infinity' },
    kills: { type: 'string', default: '60' },
    pause: { type: 'string', default: '10000' },
    clients: { type: 'string', default: '24' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    pair: { type: 'string', default: 'both' },
    help: { type: 'boolean', default: false },
  },
});
const [operations, minutes] = [Number(values.operations), Number(values.minutes)];
const [kills, pauseMs, clients] = [Number(values.kills), Number(values.pause), Number(values.clients)];
const seed = Number(values.seed);
const campaigns = Object.entries({ production: runProductionCampaign, embedded: runEmbeddedCampaign }).filter(
  ([name]) => values.pair === 'both' || values.pair === name,
);
if (values.help) console.log(usage);
else if (
  ![operations, minutes, kills, pauseMs, clients, campaigns.length].every((value) => value > 0) ||
  !Number.isInteger(seed)
)
  throw new Error(`a value is no number\n\n${usage}`);
else await repeat();

/** Ends at the first history that is not linearizable, and keeps it. */
async function repeat(): Promise<void> {
  const checker = await historyChecker();
  const folder = mkdtempSync(join(tmpdir(), 'jobs-delete-histories-'));
  const endsAtMs = performance.now() + minutes * 60_000;
  const startedAtMs = performance.now();
  const sum = { operations: 0, unknown: 0, partitions: 0, kills: 0 };
  console.log(`seed ${String(seed)}, histories in ${folder}`);
  for (let round = 0; sum.operations < operations && performance.now() < endsAtMs; round++) {
    const path = join(folder, `${String(round)}.jsonl`);
    const [pair, run] = campaigns[round % campaigns.length] ?? [];
    const history = createHistory(path);
    try {
      await run?.({ seed: seed + round, kills, pauseMs, clients, history });
    } finally {
      history.save();
    }
    const picture = join(folder, `${String(round)}.html`);
    const verdict = await checkHistory(checker, path, { picture });
    sum.kills += kills;
    for (const name of ['operations', 'unknown', 'partitions'] as const) sum[name] += verdict[name];
    console.log(`campaign ${String(round + 1)}, ${pair}, seed ${String(seed + round)}: ${summary(verdict)}`);
    const minutesTaken = Math.round((performance.now() - startedAtMs) / 60_000);
    console.log(JSON.stringify({ ...sum, minutes: minutesTaken }));
    if (verdict.violations + verdict.undecided === 0) continue;
    console.log(verdict.story.join('\n'));
    console.log(`${path}\n${picture}`);
    process.exitCode = 1;
    break;
  }
}

function summary({ outcomes, ...verdict }: Verdict): string {
  const { operations: count, unknown, partitions, largest, undecided, violations, seconds } = verdict;
  const figures = { count, unknown, partitions, largest, undecided, violations, seconds };
  return `${JSON.stringify(figures)} ${JSON.stringify(outcomes)}`;
}
