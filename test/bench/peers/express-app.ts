import express, { type Express, type Request } from 'express';
import {
  authenticate,
  type FindCredential,
  acceptedAnswer,
  parseXml,
  readIds,
  sayListening,
} from './peer.ts';

/** Deletes all the given jobs of an account or none. Returns false when one does not exist. */
export type DeleteJobs = (accountId: string, ids: string[]) => boolean | Promise<boolean>;

/** Starts a typical Express application: its body parsers and one handler. */
export function listenExpress(find: FindCredential, deleteJobs: DeleteJobs): void {
  const app: Express = express();
  app.disable('x-powered-by').disable('etag');
  app.use(express.json({ limit: '4mb' }), express.text({ type: 'application/xml', limit: '4mb' }));

  app.delete('/jobs', async (request: Request, response) => {
    const accountId = await authenticate(request.headers, find);
    if (accountId === undefined) {
      response.status(403).json({ error: 'token or secret key' });
      return;
    }
    const body: unknown = request.body;
    const ids = readIds(typeof body === 'string' ? parseXml(body) : body);
    if (ids === undefined) response.status(400).json({ error: 'a list of distinct job ids is needed' });
    else if (await deleteJobs(accountId, ids)) response.json(acceptedAnswer(ids));
    else response.status(404).json({ error: 'a job does not exist' });
  });

  const server = app.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (typeof address === 'object' && address !== null) sayListening(address.port);
  });
}
