export type Format = 'json' | 'xml';

/** One kind of load: ids per request, requests in flight, and the format. */
export interface Cell {
  readonly ids: number;
  readonly inFlight: number;
  readonly format: Format;
}

const cell = (ids: number, inFlight: number, format: Format = 'json'): Cell => ({ ids, inFlight, format });

/** Cells with targets, and the largest request. */
export const targetCells: readonly Cell[] = [
  cell(1, 1),
  cell(1, 64),
  cell(10, 64),
  cell(100, 64),
  cell(1_000, 16),
  cell(1_000, 16, 'xml'),
  cell(10_000, 16),
];

/** Returns the name of a cell, such as `1000x16:xml`. */
export function cellName({ ids, inFlight, format }: Cell): string {
  return `${String(ids)}x${String(inFlight)}${format === 'json' ? '' : `:${format}`}`;
}

/** Parses the name of a cell. Throws when the name is not valid. */
export function parseCell(name: string): Cell {
  const [, ids, inFlight, format = 'json'] = /^(\d+)x(\d+)(?::(json|xml))?$/.exec(name) ?? [];
  if (ids === undefined || inFlight === undefined)
    throw new Error(`not a cell: ${name}; write ids x requests in flight, such as 1000x16:xml`);
  return cell(Number(ids), Number(inFlight), format as Format);
}

export function describeCell({ ids, inFlight, format }: Cell): string {
  const many = ids === 1 ? '1 id' : `${ids.toLocaleString('en')} ids`;
  return `${many}, ${String(inFlight)} in flight${format === 'json' ? '' : ', XML'}`;
}

/** Returns the maximum number of jobs of a run. A run may end earlier, by time. */
export function mostJobs({ ids }: Cell, limit: number): number {
  const wanted = ids === 1 ? 60_000 : 200_000;
  return Math.ceil(Math.min(wanted, limit) / ids) * ids;
}
