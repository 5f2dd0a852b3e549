import { databaseOf, openMongo } from '@jobs-delete/runtime/mongo/open-mongo';
import { openLine, type Line } from './line.ts';

/** A line to the primary of a replica set. */
export interface MongoLine extends Line {
  /** The server's URL, through this line. */
  readonly url: string;
}

export async function openMongoLine(serverUrl: string): Promise<MongoLine> {
  const line = await openLine(await primaryOf(serverUrl));
  return { ...line, url: throughLine(serverUrl, line.port) };
}

/** Returns a single host unchanged: it is the primary, but a container reports an unreachable address. */
async function primaryOf(serverUrl: string): Promise<{ host: string; port: number }> {
  const named = /^mongodb:\/\/(?:[^@/]*@)?([^/?]*)/.exec(serverUrl)?.[1] ?? '';
  const connection = await openMongo(serverUrl);
  const hello = await databaseOf(connection).admin().command({ hello: 1 });
  await connection.close();
  const [host = '', port = '27017'] = (named.includes(',') ? String(hello.primary) : named).split(':');
  return { host, port: Number(port) };
}

function throughLine(serverUrl: string, port: number): string {
  const [path = '', query] = serverUrl.split('?');
  const parameters = new URLSearchParams(query);
  parameters.delete('replicaSet');
  parameters.set('directConnection', 'true');
  const login = /^mongodb:\/\/(?:[^@/]*@)?/.exec(path)?.[0] ?? '';
  return `${login}127.0.0.1:${String(port)}/${path.split('/').at(-1) ?? ''}?${parameters.toString()}`;
}
