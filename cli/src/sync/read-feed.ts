import { IdSet } from '../delete/id-set.ts';
import { checkedJobId } from '../import/import-record.ts';
import { readers } from '../import/formats.ts';
import { readXml } from '../import/read-xml.ts';
import { Refusal } from '../refusal.ts';
import { counted, wholeNumber } from '../report.ts';
import type { Feed } from './open-feed.ts';

export const feedFormats = ['csv', 'ndjson', 'json', 'xml'] as const;
export type FeedFormat = (typeof feedFormats)[number];

/**
 * Reads the ids of a feed. All of it must be valid: a job that is left out would be deleted.
 * @param idField the field of the ids. Default: `id`; in XML below `<source>`, `referencenumber`
 * @throws ImportError, SourceError; Refusal for a feed without jobs, or that repeats most of its ids
 */
export async function readFeed(
  { chunks, stop }: Feed,
  format: FeedFormat,
  idField: string | undefined,
): Promise<IdSet> {
  const ids = new IdSet();
  let rows = 0;
  try {
    for await (const row of recordsOf(chunks, format, idField)) {
      if ('error' in row) throw row.error;
      // The XML reader names every id `id`.
      const field = format === 'xml' ? 'id' : (idField ?? 'id');
      ids.add(checkedJobId(row.line, row.record[field], idField ?? 'id'));
      rows += 1;
    }
  } finally {
    stop();
  }
  if (rows === 0) throw new Refusal('The feed has no jobs. Nothing is deleted.');
  if (2 * ids.size < rows)
    throw new Refusal(
      `The feed repeats most of its ids: ${counted(rows, 'row')} have ${wholeNumber(ids.size)} different ones. ` +
        'Nothing is deleted. Name the field of the ids with --id-field.',
    );
  return ids;
}

function recordsOf(chunks: Feed['chunks'], format: FeedFormat, idField: string | undefined) {
  if (format === 'csv') return readers.csv(chunks, idField);
  if (format !== 'xml') return readers[format](chunks);
  const idElements = new Map([
    ['source', idField ?? 'referencenumber'],
    ['jobs', idField ?? 'id'],
  ]);
  return readXml(chunks, { idElements, skipsOthers: true });
}
