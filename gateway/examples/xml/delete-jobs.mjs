const { JOBS_DELETE_URL, JOBS_DELETE_TOKEN, JOBS_DELETE_SECRET_KEY, JOBS_DELETE_ORIGIN } = process.env;
const jobIds = ['DEMO0100', 'DEMO0101'];
const jobs = jobIds.map((id) => `<job><id>${id}</id></job>`).join('');

const response = await fetch(`${JOBS_DELETE_URL}/v1-sandbox/xml/jobs-delete`, {
  method: 'DELETE',
  headers: {
    Authorization: `Bearer ${JOBS_DELETE_TOKEN}`,
    Usersecretkey: JOBS_DELETE_SECRET_KEY,
    Origin: JOBS_DELETE_ORIGIN,
    'Content-Type': 'application/xml',
    'Accept-Language': 'en',
    'User-Agent': 'my-shop/1.0',
    'X-Client-Lang': 'JavaScript',
  },
  body: `<?xml version="1.0" encoding="UTF-8"?><jobs>${jobs}</jobs>`,
});
console.log(await response.text());
