import { credentials } from '@grpc/grpc-js';
import { Deletions, messageLimits, type DeleteJobsResponse } from './deletions-proto.ts';
import { listenExpress } from './express-app.ts';
import { connect, credentialFinder, models } from './mongoose-models.ts';

// Peer b, the gateway: authenticates, and forwards each request as one call.
const { Credential } = models(await connect());
const client = new Deletions(process.env.SERVICE_ADDRESS ?? '', credentials.createInsecure(), messageLimits);

listenExpress(credentialFinder({ Credential }), async (accountId, ids) => {
  const { found } = await new Promise<DeleteJobsResponse>((resolve, reject) => {
    client.deleteJobs(
      { account_id: accountId, job_ids: ids },
      { deadline: Date.now() + 60_000 },
      (error, response) => {
        if (error === null) resolve(response);
        else reject(error);
      },
    );
  });
  return found;
});
