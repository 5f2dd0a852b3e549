import { writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { SentRequest } from '../durability/sent-requests.ts';
import { createPlayer, describeEpisode } from './episode.ts';
import { plot, trendOf, type Band } from './plot.ts';
import { createSamples, panels } from './samples.ts';
import { startSite } from './site.ts';

const usage = `npm run soak -- [--minutes N] [--from S] [--out FILE.svg]

Plays load with a fault about every minute, measures all processes, and says which measure grows.
  --minutes N  how long (default: 120)
  --from S     the seed of the first fault (default: 1)
  --out FILE   the plot (default: soak.svg)`;

const sampleMs = 5_000;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '120' },
    from: { type: 'string', default: '1' },
    out: { type: 'string', default: 'soak.svg' },
    help: { type: 'boolean', default: false },
  },
});
const [minutes, from] = [Number(values.minutes), Number(values.from)];
if (!(minutes > 0 && from >= 0)) throw new Error(`--minutes and --from must be numbers\n\n${usage}`);
if (values.help) console.log(usage);
else await soak();

async function soak(): Promise<void> {
  const site = await startSite();
  const startedAt = performance.now();
  const minute = () => (performance.now() - startedAt) / 60_000;
  const samples = createSamples(site);
  const bands: Band[] = [];
  let requests: readonly SentRequest[] = [];
  const ended = new AbortController();
  const sampling = (async () => {
    while (!ended.signal.aborted) {
      await samples.take(requests);
      await delay(sampleMs, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  })();
  const draw = () => {
    const title = `${String(Math.round(minute()))} minutes of load with faults (grey)`;
    const groups = Object.entries(panels).map(([panel, name]) => ({
      title: name,
      series: samples.series.filter((one) => one.panel === panel),
    }));
    return writeFile(values.out, plot(title, groups, bands));
  };
  try {
    const play = createPlayer(site, {
      drainBoundMs: 60_000,
      beforeMs: 30_000,
      afterMs: 10_000,
      onStart: (sent) => (requests = sent),
      onFaults: (forMs) => bands.push({ from: minute(), to: minute() + forMs / 60_000 }),
    });
    for (let seed = from; minute() < minutes; seed++) {
      const episode = await play(seed);
      console.log(describeEpisode(episode));
      if (episode.problems.length > 0) process.exitCode = 1;
      await draw();
    }
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  } finally {
    ended.abort();
    await sampling;
    await site.stop();
    await draw();
  }
  for (const one of samples.series) {
    const { mean, perHour, isGrowing } = trendOf(one);
    const figures = [mean, perHour].map((figure) => figure.toFixed(1).padStart(12)).join('');
    console.log(
      `${`${one.panel} ${one.name}`.padEnd(24)}${figures} an hour  ${isGrowing ? 'growing' : 'flat'}`,
    );
    if (isGrowing) process.exitCode = 1;
  }
  console.log(`written to ${values.out}`);
}
