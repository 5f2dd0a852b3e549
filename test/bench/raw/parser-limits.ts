import { readJsonJobs } from '@jobs-delete/gateway/http/body/read-json-jobs';
import { readXmlJobs } from '@jobs-delete/gateway/http/body/read-xml-jobs';
import { XMLParser } from 'fast-xml-parser';
import { SaxesParser } from 'saxes';
import { jobIds } from '../job-ids.ts';
import { bodyOf } from '../load/request-bytes.ts';

const fastXmlParser = new XMLParser({ parseTagValue: false, isArray: (name) => name === 'job' });

const readers = {
  'JSON reader of the gateway': (body: Buffer) => readJsonJobs(body, 10_000),
  'XML reader of the gateway': (body: Buffer) => readXmlJobs(body, 10_000),
  'JSON.parse': (body: Buffer) => JSON.parse(body.toString('utf8')) as unknown,
  'saxes alone': (body: Buffer) => new SaxesParser().write(body.toString('utf8')).close(),
  'fast-xml-parser': (body: Buffer) => fastXmlParser.parse(body.toString('utf8')) as unknown,
} as const;

/** Measures the throughput for bodies of 1,000 ids, and how long one of 10,000 ids blocks the event loop. */
export function parserLimits(rounds: number) {
  const bodies = (count: number) => ({
    json: Buffer.from(bodyOf(jobIds(0, count), 'json')),
    xml: Buffer.from(bodyOf(jobIds(0, count), 'xml')),
  });
  const thousand = bodies(1_000);
  const tenThousand = bodies(10_000);
  return Object.fromEntries(
    Object.entries(readers).flatMap(([name, read]) => {
      const format = name.startsWith('JSON') ? 'json' : 'xml';
      const many = times(rounds * 10, () => read(thousand[format]));
      const large = times(rounds, () => read(tenThousand[format]));
      return [
        [`${name}, 1,000 ids, jobs/s`, 1_000_000 / middle(many)],
        [`${name}, 10,000 ids, ms`, middle(large)],
        [`${name}, 10,000 ids, longest ms`, large.at(-1) ?? NaN],
      ] as const;
    }),
  );
}

/** Returns sorted durations, without the first tenth: its code is not compiled yet. */
function times(rounds: number, run: () => unknown): number[] {
  const all = Array.from({ length: rounds }, () => {
    const startedAt = performance.now();
    run();
    return performance.now() - startedAt;
  });
  return all.slice(Math.ceil(rounds / 10)).sort((a, b) => a - b);
}

function middle(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}
