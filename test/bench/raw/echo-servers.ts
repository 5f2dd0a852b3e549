import { createServer } from 'node:http';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import express from 'express';
import { Deletions, type DeleteJobsRequest } from '../peers/deletions-proto.ts';

// The minimum that a server does per request: an upper bound for systems on Node, Express and grpc-js.
const answer = JSON.stringify({ status: 'ok' });

const app = express().disable('x-powered-by').disable('etag');
app.use(express.json({ limit: '4mb' }));
app.delete('/jobs', (_request, response) => {
  response.type('json').send(answer);
});

const plain = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString('utf8'));
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('Content-Length', answer.length);
    response.end(answer);
  });
});

const grpc = new Server();
grpc.addService(Deletions.service, {
  deleteJobs: (
    _call: { request: DeleteJobsRequest },
    callback: (error: null, response: { found: boolean; deletion_id: string }) => void,
  ) => callback(null, { found: true, deletion_id: 'echo' }),
});

const portOf = (listening: { address(): unknown }) => (listening.address() as { port: number }).port;
const expressServer = app.listen(0, '127.0.0.1', () => {
  plain.listen(0, '127.0.0.1', () => {
    grpc.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, grpcPort) => {
      if (error !== null) throw error;
      const ports = [portOf(expressServer), portOf(plain), grpcPort];
      process.stdout.write(`listening on ${ports.join(',')}\n`);
    });
  });
});
