import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  damaged,
  endless,
  cutAt,
  readAll,
  someDamage,
  someJobs,
  somePlaces,
  type Reader,
} from './import.fixture.ts';
import { readCsv } from './read-csv.ts';
import { readJson } from './read-json.ts';
import { readNdjson } from './formats.ts';
import { readXml } from './read-xml.ts';

interface Job {
  id: string;
  title: string;
  note: string;
}

interface Format {
  read: Reader;
  write: (jobs: readonly Job[]) => string;
  /** How the reader changes a written text. */
  kept: (text: string) => string;
  /** Pieces of a file: `openRecord` begins a record that goes on for ever. */
  endless: { head: string; record: (id: string) => string; openRecord: string };
}

const same = (text: string) => text;
const escapeXml = (text: string) =>
  text.replace(/[<&]/g, (c) => (c === '<' ? '&lt;' : '&#38;')).replace(/]]>/g, ']]&gt;');

const formats: Record<string, Format> = {
  ndjson: {
    read: readNdjson,
    write: (jobs) => jobs.map((job) => `${JSON.stringify(job)}\n`).join('\r\n'),
    kept: same,
    endless: { head: '', record: (id) => `{"id":"${id}"}\n`, openRecord: '{"id":"CCCC","x":"' },
  },
  json: {
    read: readJson,
    write: (jobs) => JSON.stringify({ jobs: { job: jobs } }, undefined, 1),
    kept: same,
    endless: { head: '[{"id":"AAAA"}', record: (id) => `,{"id":"${id}"}`, openRecord: ',{"id":"CCCC","x":"' },
  },
  csv: {
    read: readCsv,
    write: (jobs) =>
      ['note,id,title', ...jobs.map(({ id, title, note }) => [note, id, title].map(quoted).join(','))].join(
        '\r\n',
      ),
    kept: same,
    endless: { head: 'id\n', record: (id) => `${id}\n`, openRecord: '"' },
  },
  xml: {
    read: readXml,
    write: (jobs) =>
      [
        '<?xml version="1.0" encoding="UTF-8"?><!-- <job> --><jobs>',
        ...jobs.map(
          ({ id, title, note }) =>
            `<job\r\n><id>${id}</id>\n<title>${escapeXml(title)}</title><note><![CDATA[${note.replaceAll(']]>', '')}]]></note></job>`,
        ),
        '</jobs>\n',
      ].join('\n'),
    kept: (text) => text.replaceAll('\r\n', '\n'),
    endless: {
      head: '<jobs>',
      record: (id) => `<job><id>${id}</id></job>`,
      openRecord: '<job><id>CCCC</id><x>',
    },
  },
};

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

describe.each(Object.entries(formats))('a file of %s', (name, { read, write, kept, endless: stream }) => {
  test('gives the same records and lines for all chunk sizes', async () => {
    await fc.assert(
      fc.asyncProperty(someJobs, somePlaces, async (jobs, places) => {
        const bytes = Buffer.from(write(jobs));
        const whole = await readAll(read, [bytes]);
        expect(whole.error).toBeUndefined();
        expect(whole.records.map(({ record }) => record.id)).toEqual(jobs.map(({ id }) => id));
        if (name !== 'xml') expect(whole.records.map(({ record }) => record)).toEqual(jobs);
        else
          expect(whole.records.map(({ record }) => record.title)).toEqual(
            jobs.map(({ title }) => kept(title).trim()),
          );
        expect(await readAll(read, cutAt(bytes, places))).toEqual(whole);
      }),
    );
  });

  test('gives the same records and error for all chunk sizes when it is damaged', async () => {
    await fc.assert(
      fc.asyncProperty(someJobs, someDamage, somePlaces, async (jobs, damage, places) => {
        const bytes = damaged(Buffer.from(write(jobs)), damage);
        expect(await readAll(read, cutAt(bytes, places))).toEqual(await readAll(read, [bytes]));
      }),
      { numRuns: 500 },
    );
  });

  test('gives the same records byte by byte', async () => {
    const jobs = [{ id: 'ABC123', title: 'é😀"\\{}', note: '<&>\r\n,' }];
    const bytes = Buffer.from(write(jobs));
    expect(
      await readAll(
        read,
        Array.from(bytes, (byte) => Buffer.of(byte)),
      ),
    ).toEqual(await readAll(read, [bytes]));
  });

  test('may begin with a byte-order mark', async () => {
    const text = write([{ id: 'ABC123', title: 'x', note: 'y' }]);
    expect(await readAll(read, [`\uFEFF${text}`])).toEqual(await readAll(read, [text]));
  });

  test('is read record by record, with little read ahead', async () => {
    const chunk = (index: number) =>
      Array.from({ length: 1_000 }, (_, at) =>
        stream.record(`J${String(index * 1_000 + at).padStart(9, '0')}`),
      ).join('');
    const source = endless(stream.head, chunk);
    const recordBytes = chunk(0).length / 1_000;
    let yielded = 0;
    let farthestAhead = 0;
    for await (const { line } of read(source.chunks())) {
      yielded += Math.sign(line);
      farthestAhead = Math.max(farthestAhead, source.bytes / recordBytes - yielded);
      if (yielded === 10_000) break;
    }
    expect(farthestAhead).toBeLessThan(3_000);
  });

  test('is refused at a record of more than 1 MiB, without reading on', async () => {
    const source = endless(stream.head + stream.record('BBBB') + stream.openRecord, () => 'y'.repeat(50_000));
    const yielded: unknown[] = [];
    const reading = (async () => {
      for await (const record of read(source.chunks()))
        if ('record' in record) yielded.push(record.record.id);
    })();
    await expect(reading).rejects.toMatchObject({
      name: 'ImportError',
      message: 'the record is larger than 1 MiB',
    });
    expect(yielded.at(-1)).toBe('BBBB');
    expect(source.bytes).toBeLessThan(1_200_000);
  });

  test('may hold a record of just under 1 MiB', async () => {
    const jobs = [{ id: 'ABCD', title: 'x'.repeat(1_048_000), note: '' }];
    const { records, error } = await readAll(read, [write(jobs)]);
    expect(error).toBeUndefined();
    expect(records).toHaveLength(1);
  });
});
