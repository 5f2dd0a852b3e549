import { printable } from '../report.ts';
import { wrongUsage } from '../refusal.ts';
import { readCsv } from './read-csv.ts';
import { readJson } from './read-json.ts';
import { readNdjson, readText } from './read-lines.ts';
import { readXml } from './read-xml.ts';

export const readers = { txt: readText, csv: readCsv, ndjson: readNdjson, json: readJson, xml: readXml };

export type Format = keyof typeof readers;

const byExtension: Readonly<Record<string, Format>> = {
  txt: 'txt',
  csv: 'csv',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  json: 'json',
  xml: 'xml',
};

/** Returns the format for the extension of the file. @throws Refusal if it is not one of `formats` */
export function formatOf<Allowed extends Format>(file: string, formats: readonly Allowed[]): Allowed {
  const extension = /\.([^./\\]+)$/.exec(file)?.[1]?.toLowerCase() ?? '';
  const format = Object.hasOwn(byExtension, extension) ? byExtension[extension] : undefined;
  const found = formats.find((candidate) => candidate === format);
  if (found !== undefined) return found;
  throw wrongUsage(`The format of ${nameOf(file)} is unknown. Set --format to one of ${formats.join(', ')}.`);
}

/** Returns the name of a file for messages; `-` is standard input. */
export function nameOf(file: string): string {
  return file === '-' ? 'standard input' : printable(file);
}
