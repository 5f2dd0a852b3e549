import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { deletionAcceptedTopic, type DeletionAcceptedData } from '@jobs-delete/proto/events';
import { acme, aDeletion, jobIds } from '../testing/deletions.ts';
import { received } from '../testing/events.ts';
import { fits, type JsonSchema } from '../testing/json-schema.ts';
import {
  parseDeletionAccepted,
  toDeletionAcceptedEvents,
  toDeletionCancelledEvent,
  toJobsDeletedEvent,
} from './deletion-event.ts';

const schemas = join(
  dirname(createRequire(import.meta.url).resolve('@jobs-delete/proto/events')),
  '../schemas',
);
const readSchema = (name: string) => JSON.parse(readFileSync(join(schemas, name), 'utf8')) as JsonSchema;
const acceptedSchema = readSchema('jobs.deletion-accepted.v1.json');
const deletedSchema = readSchema('jobs.deleted.v1.json');
const cancelledSchema = readSchema('jobs.deletion-cancelled.v1.json');

const dataOf = (value: Buffer | string) => JSON.parse(value.toString()) as unknown;
const aPart: DeletionAcceptedData = {
  deletion_id: 'deletion-1',
  account_id: acme,
  part: 0,
  parts: 1,
  jobs: [{ id: 'job1', claim: '7' }],
};
const withValue = (value: unknown) =>
  received({
    key: 'key',
    headers: { ce_id: 'id', ce_type: deletionAcceptedTopic },
    value: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
  });

describe('the events of a deletion', () => {
  test.each([
    [1, [1]],
    [999, [999]],
    [1_000, [1_000]],
    [1_001, [1_000, 1]],
    [2_500, [1_000, 1_000, 500]],
    [10_000, Array<number>(10).fill(1_000)],
  ])('of %i jobs are parts of at most 1,000', (count, sizes) => {
    const deletion = aDeletion(jobIds(count));
    const events = toDeletionAcceptedEvents(deletion).map(
      ({ value }) => dataOf(value) as DeletionAcceptedData,
    );
    expect(events.map(({ jobs }) => jobs.length)).toEqual(sizes);
    expect(events.map(({ part }) => part)).toEqual(sizes.map((_, index) => index));
    expect(new Set(events.map(({ parts }) => parts))).toEqual(new Set([sizes.length]));
    const jobs = events.flatMap((event) => event.jobs);
    expect(jobs.map(({ id }) => id)).toEqual(deletion.jobIds);
    expect(jobs.map(({ claim }) => claim)).toEqual(deletion.claims);
  });

  test('are CloudEvents with the deletion as key, the same at every publication', () => {
    const deletion = aDeletion(jobIds(1_500), { id: 'deletion-1', acceptedAtMs: Date.UTC(2026, 0, 2) });
    const events = toDeletionAcceptedEvents(deletion);
    expect(events.map(({ key }) => key)).toEqual(['deletion-1', 'deletion-1']);
    expect(events.map(({ headers }) => headers.ce_id)).toEqual(['deletion-1.0', 'deletion-1.1']);
    expect(events[1]?.headers).toEqual({
      ce_specversion: '1.0',
      ce_id: 'deletion-1.1',
      ce_type: 'jobs.deletion-accepted.v1',
      ce_source: '/jobs-delete/deleter-service',
      ce_time: '2026-01-02T00:00:00.000Z',
      'content-type': 'application/json',
    });
    const again = { ...deletion, state: 'published', publications: 3, publishedAtMs: 9 } as const;
    expect(toDeletionAcceptedEvents(again)).toEqual(events);
  });

  test('have the end of the delay as their time', () => {
    const removalAtMs = Date.UTC(2026, 0, 5);
    const [event] = toDeletionAcceptedEvents(aDeletion(['job1'], { removalAtMs }));
    expect(event?.headers.ce_time).toBe('2026-01-05T00:00:00.000Z');
  });

  test('that is cancelled are one event, which is always the same and fits its schema', () => {
    const cancelledAtMs = Date.UTC(2026, 0, 4);
    const deletion = aDeletion(jobIds(2_001), { id: 'd-1', state: 'cancelled', claims: [], cancelledAtMs });
    const event = toDeletionCancelledEvent(deletion);
    const data = { deletion_id: 'd-1', account_id: acme, job_count: 2_001 };
    expect([event.key, dataOf(event.value)]).toEqual([acme, data]);
    expect(fits(data, cancelledSchema)).toBe(true);
    expect(event.headers).toMatchObject({
      ce_id: 'd-1',
      ce_type: 'jobs.deletion-cancelled.v1',
      ce_time: '2026-01-04T00:00:00.000Z',
    });
    expect(toDeletionCancelledEvent(deletion)).toEqual(event);
  });

  test('are parsed as they were written, and fit their schema', () => {
    for (const event of toDeletionAcceptedEvents(aDeletion(jobIds(2_001)))) {
      const data = dataOf(event.value);
      expect(parseDeletionAccepted(received(event))).toEqual({ kind: 'part', data });
      expect(fits(data, acceptedSchema)).toBe(true);
    }
  });
});

describe('the announcement of a removed part', () => {
  const removed = { ...aPart, account_id: '"\\é', part: 2, parts: 3, jobs: [{ id: 'job1', claim: '"\\' }] };

  test('has the jobs of the part, under the key of the account, and fits its schema', () => {
    const event = toJobsDeletedEvent(removed, Date.UTC(2026, 0, 3), '00-aa-01');
    expect(event.key).toBe('"\\é');
    expect(dataOf(event.value)).toEqual(removed);
    expect(fits(dataOf(event.value), deletedSchema)).toBe(true);
    expect(event.headers).toEqual({
      ce_specversion: '1.0',
      ce_id: 'deletion-1.2',
      ce_type: 'jobs.deleted.v1',
      ce_source: '/jobs-delete/deleter-service',
      ce_time: '2026-01-03T00:00:00.000Z',
      'content-type': 'application/json',
      traceparent: '00-aa-01',
    });
  });

  test('has the same id at every removal', () => {
    const [first, later] = [0, 9_000].map((atMs) => toJobsDeletedEvent(removed, atMs, undefined));
    expect(later?.headers.ce_id).toBe(first?.headers.ce_id);
  });

  test('has no members that only a later version knows', () => {
    const later = { ...removed, priority: 'high', jobs: [{ id: 'job1', claim: '7', title: 'A title' }] };
    expect(dataOf(toJobsDeletedEvent(later, 0, undefined).value)).toEqual({
      ...removed,
      jobs: [{ id: 'job1', claim: '7' }],
    });
  });
});

describe('an event on the topic', () => {
  test.each([
    ['another type', { ...withValue(aPart), headers: { ce_type: 'other' } }, /its type is other/],
    ['no type', { ...withValue(aPart), headers: {} }, /its type is missing/],
    ['no JSON', withValue('{"deletion_id":'), /not JSON/],
    ['nothing in it', withValue(''), /not JSON/],
    ['bytes that are not UTF-8', { ...withValue(''), value: Buffer.from('"\xe9"', 'latin1') }, /not UTF-8/],
    ['no object', withValue([aPart]), /schema/],
    ['null', withValue(null), /schema/],
  ])('of %s is poison, with the reason', (_, event, reason) => {
    expect(parseDeletionAccepted(event)).toEqual({ kind: 'poison', reason: expect.stringMatching(reason) });
  });

  test.each([
    ['deletion_id', ''],
    ['deletion_id', 5],
    ['account_id', undefined],
    ['account_id', ''],
    ['part', -1],
    ['part', 1],
    ['part', 0.5],
    ['part', '0'],
    ['parts', 0],
    ['parts', null],
    ['parts', 1e300],
    ['jobs', []],
    ['jobs', {}],
    ['jobs', 'job1'],
    ['jobs', [null]],
    ['jobs', [{ id: 'job1' }]],
    ['jobs', [{ id: 'job1', claim: '' }]],
    ['jobs', [{ id: 'job1', claim: 7 }]],
    ['jobs', [{ id: 'j/1', claim: '7' }]],
    ['jobs', jobIds(1_001).map((id) => ({ id, claim: '7' }))],
  ])('whose %s is %j is poison', (name, value) => {
    expect(parseDeletionAccepted(withValue({ ...aPart, [name]: value })).kind).toBe('poison');
  });

  test('may have fields that a later version adds', () => {
    const parsed = parseDeletionAccepted(withValue({ ...aPart, priority: 'high' }));
    expect(parsed).toMatchObject({ kind: 'part', data: aPart });
  });

  test('is a part or poison for any bytes, and the parser never throws', () => {
    const nearly = fc.record(
      {
        deletion_id: fc.oneof(fc.string(), fc.jsonValue()),
        account_id: fc.oneof(fc.string(), fc.jsonValue()),
        part: fc.oneof(fc.integer(), fc.jsonValue()),
        parts: fc.oneof(fc.integer(), fc.jsonValue()),
        jobs: fc.oneof(fc.array(fc.record({ id: fc.string(), claim: fc.string() })), fc.jsonValue()),
      },
      { requiredKeys: [] },
    );
    const bytes = fc.oneof(
      fc.uint8Array().map((array) => Buffer.from(array)),
      fc.json().map((text) => Buffer.from(text)),
      nearly.map((value) => Buffer.from(JSON.stringify(value))),
    );
    const headers = fc.oneof(
      fc.constant({ ce_type: deletionAcceptedTopic }),
      fc.dictionary(fc.string(), fc.string()),
    );
    fc.assert(
      fc.property(bytes, headers, (value, eventHeaders) => {
        const parsed = parseDeletionAccepted({ key: '', headers: eventHeaders, value, position: '' });
        // What passes is exactly what the published schema allows, and in range besides.
        if (parsed.kind === 'part') expect(fits(parsed.data, acceptedSchema)).toBe(true);
        else expect(parsed.reason).not.toBe('');
      }),
      { numRuns: 1_000, seed: 20_260_101 },
    );
  });
});
