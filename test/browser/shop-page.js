// Runs in the browser, on a page of another origin than the API.
import { JobsDeleteClient } from '/client/index.js';

globalThis.shop = {
  /** Deletes the jobs with the TypeScript client, and waits until they are removed. */
  async deleteJobs(options, jobIds) {
    const client = new JobsDeleteClient(options);
    const { acceptedJobs, deletions } = await client.deleteJobs(jobIds);
    const removed = [];
    for (const { deletionId } of deletions)
      if (deletionId !== undefined) removed.push(await client.waitUntilRemoved(deletionId));
    return { acceptedJobs, removed };
  },

  /** Returns everything of the answer that the browser lets the page read. */
  async call(url, { headers, body }) {
    const response = await fetch(url, { method: 'DELETE', headers, body });
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      json: await response.json(),
    };
  },
};
