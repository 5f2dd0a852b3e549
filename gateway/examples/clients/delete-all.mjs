import { JobsDeleteClient } from '@jobs-delete/client';
import { openFileJournal } from '@jobs-delete/client/file-journal';

const client = new JobsDeleteClient({
  baseUrl: process.env.JOBS_DELETE_URL,
  token: process.env.JOBS_DELETE_TOKEN,
  secretKey: process.env.JOBS_DELETE_SECRET_KEY,
  origin: 'https://acme.example',
  userAgent: 'my-shop/1.0',
});

const jobIds = ['DEMO0100', 'DEMO0101'];
const report = await client.deleteJobs(jobIds, {
  sandbox: true,
  // Deletes the other jobs if the account does not have one of them.
  onRefusal: 'split',
  // The same program continues after a crash.
  journal: openFileJournal('expired.journal'),
});
console.log(report.acceptedJobs, report.refused);
