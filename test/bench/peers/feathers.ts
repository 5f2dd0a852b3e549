import { Forbidden, BadRequest, NotFound } from '@feathersjs/errors';
import { feathers, type HookContext } from '@feathersjs/feathers';
import { bodyParser, errorHandler, koa, rest, type Application } from '@feathersjs/koa';
import { MongoDBService } from '@feathersjs/mongodb';
import { HttpMethodEnum } from 'koa-body';
import { MongoClient, type Binary, type Document } from 'mongodb';
import { authenticate, type FindCredential, type StoredCredential } from './authenticate.ts';
import { acceptedAnswer, parseXml, readIds, sayListening } from './job-list.ts';

// Peer c: a Feathers service on MongoDB with multi-remove.
const client = await MongoClient.connect(process.env.DATABASE_URL ?? '', {
  maxPoolSize: 64,
  writeConcern: { w: 'majority', journal: true },
});
const database = client.db();

const find: FindCredential = async (kind, id) => {
  const projection = { account_id: 1, hash: 1, expires_at: 1, revoked_at: 1 };
  const found = await database.collection('credentials').findOne({ kind, id }, { projection });
  // The documents of the driver are untyped. Only the bench writes them.
  return found === null
    ? null
    : ({ ...found, hash: (found.hash as Binary).buffer } as unknown as StoredCredential);
};

/** Reads the query of a multi-remove from the body. Feathers reads it from the URL, too short for 10,000 ids. */
async function queryFromBody(context: HookContext): Promise<void> {
  const { headers = {}, body } = context.params as { headers?: Record<string, string>; body?: unknown };
  const accountId = await authenticate(headers, find);
  if (accountId === undefined) throw new Forbidden('token or secret key');
  const ids = readIds(typeof body === 'string' ? parseXml(body) : body);
  if (ids === undefined) throw new BadRequest('a list of distinct job ids is needed');
  context.params.ids = ids;
  context.params.query = { account_id: accountId, id: { $in: ids }, $select: ['_id'] };
}

function answer(context: HookContext): void {
  const ids = context.params.ids as string[];
  if ((context.result as Document[]).length < ids.length) throw new NotFound('a job did not exist');
  context.result = acceptedAnswer(ids);
}

const app: Application = koa(feathers());
app.use(errorHandler());
app.use(
  bodyParser({
    parsedMethods: [HttpMethodEnum.DELETE],
    jsonLimit: '4mb',
    textLimit: '4mb',
    includeUnparsed: false,
  }),
);
app.use(async (ctx, next) => {
  // koa-body parses text/xml only.
  if (ctx.is('application/xml')) {
    const chunks: Buffer[] = [];
    for await (const chunk of ctx.req) chunks.push(chunk as Buffer);
    ctx.request.body = Buffer.concat(chunks).toString('utf8');
  }
  Object.assign(ctx.feathers ?? {}, { body: ctx.request.body as unknown });
  await next();
});
app.configure(rest());
app.use('jobs', new MongoDBService({ Model: database.collection('jobs'), multi: ['remove'] }), {
  methods: ['remove'],
});
app.service('jobs').hooks({ before: { remove: [queryFromBody] }, after: { remove: [answer] } });

const server = await app.listen(0, '127.0.0.1');
server.once('listening', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) sayListening(address.port);
});
