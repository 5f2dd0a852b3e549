import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

const { JOBS_DELETE_URL, JOBS_DELETE_TOKEN, JOBS_DELETE_SECRET_KEY, JOBS_DELETE_ORIGIN } = process.env;
const jobIds = ['DEMO0100', 'DEMO0101'];
const jobs = jobIds.map((id) => `<job><id>${id}</id></job>`).join('');
const request = {
  method: 'DELETE',
  headers: {
    Authorization: `Bearer ${JOBS_DELETE_TOKEN}`,
    Usersecretkey: JOBS_DELETE_SECRET_KEY,
    Origin: JOBS_DELETE_ORIGIN,
    // The same key with each attempt: the jobs are deleted once.
    'Idempotency-Key': randomUUID(),
    'Content-Type': 'application/xml',
    'Accept-Language': 'en',
    'User-Agent': 'my-shop/1.0',
    'X-Client-Lang': 'JavaScript',
  },
  body: `<?xml version="1.0" encoding="UTF-8"?><jobs>${jobs}</jobs>`,
};

async function send() {
  const signal = AbortSignal.timeout(60_000);
  const response = await fetch(`${JOBS_DELETE_URL}/v1-sandbox/xml/jobs-delete`, { ...request, signal });
  const retryAfter = Number(response.headers.get('Retry-After')) || 0;
  return { status: response.status, retryAfter, body: await response.text() };
}

async function sendUntilAnswered() {
  for (let attempt = 1; ; attempt++) {
    // Without an answer, the jobs may be deleted or not.
    const answer = await send().catch((error) => ({ status: 0, retryAfter: 0, body: String(error) }));
    if (![0, 429, 502, 503, 504].includes(answer.status) || attempt === 6) return answer;
    await wait(1_000 * Math.max(answer.retryAfter, Math.random() * 2 ** attempt));
  }
}

const { status, body } = await sendUntilAnswered();
console.log(body);
if (status !== 200) process.exitCode = 1;
