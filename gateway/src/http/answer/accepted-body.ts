import { text, type Language } from '../../messages/messages.ts';

/**
 * The body of a 200: one result a job, in the order sent. Put together from pieces, as there may be 10,000 of
 * them; ids are letters and digits only, so they need no escaping.
 */
export function acceptedBody(jobIds: readonly string[], language: Language): string {
  const [before, after] = pieces(text(language, 'job_queued'));
  const results = jobIds.map(
    (id) => `{"job_id":"${id}","status":"success","message":"${before}${id}${after}"}`,
  );
  const status = JSON.stringify(text(language, 'jobs_queued'));
  return `{"status":${status},"processed_jobs":${String(jobIds.length)},"results":[${results.join(',')}]}`;
}

function pieces(template: string): [before: string, after: string] {
  const [before = '', after = ''] = template.split('{id}');
  return [escape(before), escape(after)];
}

function escape(piece: string): string {
  return JSON.stringify(piece).slice(1, -1);
}
