const { JOBS_DELETE_URL, JOBS_DELETE_TOKEN, JOBS_DELETE_SECRET_KEY, JOBS_DELETE_ORIGIN } = process.env;
const jobIds = ['DEMO0100', 'DEMO0101'];

const response = await fetch(`${JOBS_DELETE_URL}/v1-sandbox/json/jobs-delete`, {
  method: 'DELETE',
  headers: {
    Authorization: `Bearer ${JOBS_DELETE_TOKEN}`,
    Usersecretkey: JOBS_DELETE_SECRET_KEY,
    Origin: JOBS_DELETE_ORIGIN,
    'Content-Type': 'application/json',
    'Accept-Language': 'en',
    'User-Agent': 'my-shop/1.0',
    'X-Client-Lang': 'JavaScript',
  },
  body: JSON.stringify({ jobs: { job: jobIds.map((id) => ({ id })) } }),
});
console.log(await response.text());
