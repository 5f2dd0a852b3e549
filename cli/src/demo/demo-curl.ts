import type { Demo } from './seed-demo.ts';

/** Returns a curl command that deletes the first two remaining demo jobs. */
export function demoCurl(demo: Demo): string {
  const job = demo.job_ids.slice(0, 2).map((id) => ({ id }));
  return [
    `curl -i -X DELETE ${demo.base_url}/v1/json/jobs-delete`,
    `-H 'Authorization: Bearer ${demo.token}'`,
    `-H 'Usersecretkey: ${demo.secret_key}'`,
    `-H 'Origin: ${demo.origin}'`,
    "-H 'Content-Type: application/json'",
    "-H 'Accept-Language: en'",
    "-H 'User-Agent: demo/1.0'",
    "-H 'X-Client-Lang: curl'",
    `-d '${JSON.stringify({ jobs: { job } })}'`,
  ].join(' \\\n  ');
}
