import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWith } from '../servers/describe-with.ts';
import { createPlayer, describeEpisode, type Episode } from './episode.ts';
import { kinds } from './faults.ts';
import { startSite, type Site } from './site.ts';

/** One of each kind: the seed decides it. `npm run chaos` plays more. */
const seeds = kinds.map((_, index) => index + kinds.length);

describeWith('own mongodb', 'gateways, apis, relay and worker on faulty servers', () => {
  describeWith('own kafka', 'lines, disks and clocks', () => {
    describeWith('strace', 'under load', () => {
      let site: Site;
      let play: (seed: number) => Promise<Episode>;

      beforeAll(async () => {
        site = await startSite();
        play = createPlayer(site, { beforeMs: 1_000, afterMs: 1_000, drainBoundMs: Infinity });
      });
      afterAll(() => site.stop());

      test.each(seeds)('keep every guarantee, and drain the backlog (seed %i)', async (seed) => {
        const episode = await play(seed);
        process.stderr.write(`${describeEpisode(episode)}\n`);
        expect([...episode.problems, ...(episode.problems.length > 0 ? episode.warnings : [])]).toEqual([]);
      });
    });
  });
});
