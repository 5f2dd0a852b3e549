import { describe, expect, test } from '@jest/globals';
import type { JobPosting } from '@jobs-delete/deleter-service/store/job-store';
import { ImportError, toJobPosting, type ImportRecord } from './import-record.ts';
import { importRecords } from './import-records.ts';

const record = (index: number, bytes = 20): ImportRecord => ({
  line: index,
  lastLine: index,
  record: { id: `J${String(index).padStart(7, '0')}`, title: 'x' },
  bytes,
});

/** Imports into an array, and counts how many records are read but not imported. */
function collector() {
  let pulled = 0;
  let most = 0;
  const batches: (readonly JobPosting[])[] = [];
  const totalOf = () => batches.reduce((sum, batch) => sum + batch.length, 0);
  return {
    batches,
    mostBuffered: () => most,
    records: async function* (source: Iterable<ImportRecord>): AsyncGenerator<ImportRecord> {
      let imported = 0;
      let known = 0;
      for (const item of source) {
        if (batches.length !== known) {
          known = batches.length;
          imported = totalOf();
        }
        pulled += 1;
        most = Math.max(most, pulled - imported);
        yield await Promise.resolve(item);
      }
    },
    importBatch: (jobs: readonly JobPosting[]) => {
      batches.push(jobs);
      return Promise.resolve({ imported: jobs.length - 1, existing: 1 });
    },
  };
}

function* synthetic(count: number, bytes?: number): Generator<ImportRecord> {
  for (let index = 1; index <= count; index += 1) yield record(index, bytes);
}

describe('batches', () => {
  test('have up to 1,000 records, and only one is in memory', async () => {
    const sink = collector();
    const outcome = await importRecords({
      records: sink.records(synthetic(200_001)),
      importBatch: sink.importBatch,
    });
    expect(outcome).toEqual({
      kind: 'done',
      totals: { records: 200_001, imported: 199_800, existing: 201, lastLine: 200_001 },
      invalid: { count: 0, first: [] },
    });
    expect(sink.batches.map(({ length }) => length)).toEqual([...Array<number>(200).fill(1_000), 1]);
    expect(sink.mostBuffered()).toBe(1_000);
  });

  test('of large records are smaller', async () => {
    const sink = collector();
    await importRecords({ records: sink.records(synthetic(50, 1_000_000)), importBatch: sink.importBatch });
    expect(sink.batches.map(({ length }) => length)).toEqual(Array(10).fill(5));
  });

  test('are reported one by one', async () => {
    const sink = collector();
    const told: number[] = [];
    const onBatch = ({ records }: { records: number }) => told.push(records);
    await importRecords({ records: sink.records(synthetic(2_500)), importBatch: sink.importBatch, onBatch });
    expect(told).toEqual([1_000, 2_000, 2_500]);
  });

  test('end on the last line of their last record', async () => {
    const sink = collector();
    const tall = [...synthetic(1_001)].map((item) => ({ ...item, lastLine: item.line * 10 + 3 }));
    const ends: number[] = [];
    const onBatch = ({ lastLine }: { lastLine: number }) => ends.push(lastLine);
    await importRecords({ records: sink.records(tall), importBatch: sink.importBatch, onBatch });
    expect(ends).toEqual([10_003, 10_013]);
  });

  test('do not exist without records', async () => {
    const sink = collector();
    const outcome = await importRecords({ records: sink.records([]), importBatch: sink.importBatch });
    expect(outcome).toMatchObject({ kind: 'done', totals: { records: 0 } });
    expect(sink.batches).toEqual([]);
  });
});

describe('an import that stops keeps whole batches', () => {
  test('when a record is invalid', async () => {
    const sink = collector();
    const source = [...synthetic(2_499), { ...record(2_500), record: { id: 'no' } }, ...synthetic(1)];
    const outcome = await importRecords({ records: sink.records(source), importBatch: sink.importBatch });
    expect(outcome).toMatchObject({
      kind: 'stopped',
      totals: { records: 2_000, imported: 1_998, existing: 2, lastLine: 2_000 },
      stoppedBy: { name: 'ImportError', line: 2_500 },
    });
  });

  test('and lists the first 100 invalid records of the whole file', async () => {
    const sink = collector();
    const bad = Array.from({ length: 250 }, (_, index) => ({ ...record(index + 3), record: { id: 'no' } }));
    const source = [...synthetic(2), ...bad, ...synthetic(3_000)];
    const outcome = await importRecords({ records: sink.records(source), importBatch: sink.importBatch });
    expect(outcome).toMatchObject({ kind: 'stopped', stoppedBy: { line: 3 }, invalid: { count: 250 } });
    expect(outcome.invalid.first.map(({ line }) => line)).toEqual(bad.slice(0, 100).map(({ line }) => line));
    expect(sink.batches).toEqual([]);
  });

  test('when reading fails', async () => {
    const sink = collector();
    async function* failing(): AsyncGenerator<ImportRecord> {
      yield* sink.records(synthetic(1_001));
      throw new Error('the disk is gone');
    }
    const outcome = await importRecords({ records: failing(), importBatch: sink.importBatch });
    expect(outcome).toMatchObject({
      kind: 'stopped',
      totals: { records: 1_000 },
      stoppedBy: { message: 'the disk is gone' },
    });
  });

  test('when a batch fails', async () => {
    const sink = collector();
    let calls = 0;
    const importBatch = (jobs: readonly JobPosting[]) => {
      calls += 1;
      return calls === 3 ? Promise.reject(new Error('full')) : sink.importBatch(jobs);
    };
    const outcome = await importRecords({ records: sink.records(synthetic(9_000)), importBatch });
    expect(outcome).toMatchObject({
      kind: 'stopped',
      totals: { records: 2_000 },
      stoppedBy: { message: 'full' },
    });
    expect(calls).toBe(3);
  });
});

test('invalid records can be left out', async () => {
  const sink = collector();
  const source = [...synthetic(999), { ...record(1_000), record: {} }, record(1_001), record(1_002)];
  const records = sink.records(source);
  const outcome = await importRecords({ records, importBatch: sink.importBatch, skipInvalid: true });
  expect(outcome).toMatchObject({ kind: 'done', totals: { records: 1_001 }, invalid: { count: 1 } });
  expect(sink.batches.map(({ length }) => length)).toEqual([1_000, 1]);
});

describe('a record', () => {
  const posting = (fields: Record<string, unknown>) =>
    toJobPosting({ line: 7, lastLine: 7, record: fields, bytes: 1 });

  test('has an id and a posting', () => {
    expect(posting({ title: 'x', id: 'ABC1', n: null })).toEqual({
      id: 'ABC1',
      posting: { title: 'x', n: null },
    });
    expect(posting({ id: 'a'.repeat(128) })).toEqual({ id: 'a'.repeat(128), posting: {} });
  });

  test.each([
    [{}, "the record has no 'id'"],
    [{ ID: 'ABC1' }, "the record has no 'id'"],
    [{ id: null }, "the record has no 'id'"],
    [{ id: '' }, "the record has no 'id'"],
    [{ id: 1234 }, "the 'id' must be text, not the number 1234"],
    [{ id: true }, "the 'id' must be text, not the boolean true"],
    [{ id: ['ABC1'] }, "the 'id' must be text, not a list"],
    [{ id: {} }, "the 'id' must be text, not an object"],
    [{ id: 'ABC' }, "the 'id' must be 4 to 128 letters and digits (A-Z a-z 0-9), not 'ABC'"],
    [{ id: ' ABC1' }, "the 'id' must be 4 to 128 letters and digits (A-Z a-z 0-9), not ' ABC1'"],
    [{ id: 'É123' }, "the 'id' must be 4 to 128 letters and digits (A-Z a-z 0-9), not 'É123'"],
    [{ id: 'A\u001b[2J' }, "the 'id' must be 4 to 128 letters and digits (A-Z a-z 0-9), not 'A\\u{1b}[2J'"],
    [
      { id: 'a'.repeat(1_000) },
      `the 'id' must be 4 to 128 letters and digits (A-Z a-z 0-9), not '${'a'.repeat(140)}…'`,
    ],
  ])('with %j is refused', (fields, message) => {
    expect(() => posting(fields)).toThrow(new ImportError(7, message));
  });

  test('may be nested 100 levels deep', () => {
    const nested = (levels: number): unknown => (levels === 0 ? 'x' : { a: [nested(levels - 1)] });
    // The posting itself is the first level.
    expect(() => posting({ id: 'ABC1', deep: [nested(49)] })).not.toThrow();
    expect(() => posting({ id: 'ABC1', deep: nested(50) })).toThrow(
      'the record is nested deeper than 100 levels',
    );
    const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    expect(() => posting({ id: 'ABC1', deep })).toThrow('the record is nested deeper than 100 levels');
  });
});
