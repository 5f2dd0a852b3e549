// Replaces grpcurl for the examples in docs/internal-callers.md if it is not installed: node grpcurl.js ARGUMENTS
import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { credentials, Metadata, status } from '@grpc/grpc-js';
import { DeleterService } from '@jobs-delete/proto/load-deleter';

const { values, positionals } = parseArgs({
  // grpcurl accepts long options with one dash.
  args: process.argv.slice(2).map((arg) => (/^-[a-z]{2,}$/.test(arg) ? `-${arg}` : arg)),
  options: {
    cacert: { type: 'string' },
    cert: { type: 'string' },
    key: { type: 'string' },
    H: { type: 'string', short: 'H' },
    d: { type: 'string', short: 'd', default: '{}' },
  },
  allowPositionals: true,
});
const [address = '', symbol = ''] = positionals;
const read = (path) => (path === undefined ? null : readFileSync(path));
const security = credentials.createSsl(read(values.cacert), read(values.key), read(values.cert));
const metadata = new Metadata();
if (values.H !== undefined) metadata.set(...values.H.split(/: */));
const client = new DeleterService(address, security);

const print = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const fail = (error) => {
  process.stderr.write(`ERROR:\n  Code: ${status[error.code]}\n  Message: ${error.details}\n`);
  process.exitCode = 64 + error.code;
  client.close();
};
if (symbol === 'list') {
  // Uses reflection: the request is {list_services: ""}. The service names are readable in the raw response.
  const bytes = (buffer) => buffer;
  const path = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
  const call = client.makeBidiStreamRequest(path, bytes, bytes, metadata);
  call.on('data', (answer) => process.stdout.write(`${answer.toString('latin1')}\n`));
  call.on('error', fail).on('end', () => client.close());
  call.end(Buffer.from([0x3a, 0x00]));
} else {
  const method = DeleterService.service[symbol.split('/')[1] ?? ''];
  const call = client.makeServerStreamRequest(
    method.path,
    method.requestSerialize,
    method.responseDeserialize,
    JSON.parse(values.d),
    metadata,
  );
  call.on('data', print);
  call.on('error', fail).on('end', () => client.close());
}
