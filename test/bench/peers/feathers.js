import { Buffer } from 'node:buffer';
import { Forbidden, BadRequest, NotFound } from '@feathersjs/errors';
import { feathers } from '@feathersjs/feathers';
import { bodyParser, errorHandler, koa, rest } from '@feathersjs/koa';
import { MongoDBService } from '@feathersjs/mongodb';
import { HttpMethodEnum } from 'koa-body';
import { MongoClient } from 'mongodb';
import {
  authenticate,
  acceptedAnswer,
  parseXml,
  readIds,
  sayListening,
} from '../../dist/bench/peers/peer.js';

// Peer c: a Feathers service on MongoDB with multi-remove. JavaScript, because its packages are in test/bench/node_modules
// only, which the build does not have.
const client = await MongoClient.connect(process.env.DATABASE_URL ?? '', {
  maxPoolSize: 64,
  writeConcern: { w: 'majority', journal: true },
});
const database = client.db();

const find = async (kind, id) => {
  const projection = { account_id: 1, hash: 1, expires_at: 1, revoked_at: 1 };
  const found = await database.collection('credentials').findOne({ kind, id }, { projection });
  return found === null ? null : { ...found, hash: found.hash.buffer };
};

/** Reads the query of a multi-remove from the body. Feathers reads it from the URL, too short for 10,000 ids. */
async function queryFromBody(context) {
  const { headers = {}, body } = context.params;
  const accountId = await authenticate(headers, find);
  if (accountId === undefined) throw new Forbidden('token or secret key');
  const ids = readIds(typeof body === 'string' ? parseXml(body) : body);
  if (ids === undefined) throw new BadRequest('a list of distinct job ids is needed');
  context.params.ids = ids;
  context.params.query = { account_id: accountId, id: { $in: ids }, $select: ['_id'] };
}

function answer(context) {
  const ids = context.params.ids;
  if (context.result.length < ids.length) throw new NotFound('a job did not exist');
  context.result = acceptedAnswer(ids);
}

const app = koa(feathers());
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
    const chunks = [];
    for await (const chunk of ctx.req) chunks.push(chunk);
    ctx.request.body = Buffer.concat(chunks).toString('utf8');
  }
  Object.assign(ctx.feathers ?? {}, { body: ctx.request.body });
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
