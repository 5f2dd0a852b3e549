import { listenExpress } from './express-app.ts';
import { connect, credentialFinder, models } from './mongoose-models.ts';

// Peer a: checks that the jobs exist and deletes them before it answers.
const { Job, Credential } = models(await connect());

listenExpress(credentialFinder({ Credential }), async (accountId, ids) => {
  const found = await Job.find({ account_id: accountId, id: { $in: ids } }, '_id').lean();
  if (found.length < ids.length) return false;
  await Job.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
  return true;
});
