import { XMLParser } from 'fast-xml-parser';

const parser = new XMLParser({ parseTagValue: false, isArray: (name) => name === 'job' });

export function parseXml(text: string): unknown {
  return parser.parse(text);
}

/** Returns the ids of `{"jobs": {"job": [{"id": …}, …]}}`, or undefined if one is missing, malformed or repeated. */
export function readIds(body: unknown): string[] | undefined {
  const list = (body as { jobs?: { job?: unknown } } | undefined)?.jobs?.job;
  if (!Array.isArray(list) || list.length === 0 || list.length > 10_000) return undefined;
  const ids = list.map((entry) => (entry as { id?: unknown }).id);
  const areIds = ids.every((id) => typeof id === 'string' && /^[A-Za-z0-9]{4,128}$/.test(id));
  return areIds && new Set(ids).size === ids.length ? (ids as string[]) : undefined;
}

/** Returns the same response as jobs-delete: one result per job. */
export function acceptedAnswer(ids: readonly string[]) {
  return {
    status: 'The jobs are deleted.',
    processed_jobs: ids.length,
    results: ids.map((id) => ({ job_id: id, status: 'success', message: `Job ${id} is deleted.` })),
  };
}

/** Prints the port. The bench reads it from the log. */
export function sayListening(port: number): void {
  process.stdout.write(`listening on ${String(port)}\n`);
}
