import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { argv, env } from 'node:process';

// Writes the secrets of docker-compose.yml, a folder for each container that mounts one.
//   node create-secrets.js FOLDER MONGODB_HOST:PORT KAFKA_HOST:PORT
// Creates each random value once, in FOLDER/values.json. Each start writes the files that are missing or differ, so an
// upgrade may add some. A crash leaves each file old or new, never partial, and no file has a value that values.json lacks.

const [folder = '/secrets', mongodb, kafka] = argv.slice(2);
const processes = ['setup', 'gateway', 'dashboard', 'api', 'relay', 'worker', 'operator'];
const created = join(folder, 'values.json');
const random = () => randomBytes(24).toString('base64url');
const { CREDENTIAL_PEPPER: givenPepper = '' } = env;
if (givenPepper !== '' && givenPepper.length < 32)
  throw new Error('CREDENTIAL_PEPPER: must have at least 32 characters');
const values = {
  pepper: givenPepper === '' ? random() : givenPepper,
  ...Object.fromEntries(
    ['root', 'broker', 'client', 'gatewayToken', 'dashboardToken', ...processes].map((name) => [
      name,
      random(),
    ]),
  ),
  ...(existsSync(created) && JSON.parse(readFileSync(created, 'utf8'))),
};
replace(created, JSON.stringify(values), 0o600);

/** Replaces the content of a file durably, unless it is the same. */
function replace(path, content, mode) {
  if (existsSync(path) && readFileSync(path, 'utf8') === content) return;
  writeFileSync(`${path}.new`, content, { mode, flush: true });
  renameSync(`${path}.new`, path);
  sync(dirname(path));
}

/** Makes new names in a folder durable. */
function sync(path) {
  const descriptor = openSync(path);
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** Other users read the files: only the volume's container can. */
function write(name, files) {
  if (mkdirSync(join(folder, name), { recursive: true }) !== undefined) sync(folder);
  for (const [file, content] of Object.entries(files))
    replace(join(folder, name, file), `${content}\n`, 0o644);
}

const users = Object.fromEntries(processes.map((name) => [`jobs-delete-${name}`, values[name]]));
write('mongodb', { 'passwords.json': JSON.stringify({ root: values.root, users }) });

const login = 'org.apache.kafka.common.security.plain.PlainLoginModule required';
const broker = `username="broker" password="${values.broker}" user_broker="${values.broker}"`;
write('kafka', {
  'jaas.conf': `KafkaServer { ${login} ${broker} user_jobs-delete="${values.client}"; };`,
  'client.properties': [
    'security.protocol=SASL_PLAINTEXT',
    'sasl.mechanism=PLAIN',
    `sasl.jaas.config=${login} username="broker" password="${values.broker}";`,
  ].join('\n'),
});

// The passwords cross internal networks of one machine, hence insecure=true.
const databaseOf = (name) =>
  `mongodb://jobs-delete-${name}:${values[name]}@${mongodb}/jobs-delete?replicaSet=rs0&insecure=true`;
const storageOf = (name) => ({
  DATABASE_URL: databaseOf(name),
  EVENT_LOG_URL: `kafka://jobs-delete:${values.client}@${kafka}?insecure=true`,
});
const accountsOf = (name) => ({
  ACCOUNTS_DATABASE_URL: databaseOf(name),
  CREDENTIAL_PEPPER: values.pepper,
});
const { gatewayToken, dashboardToken, pepper } = values;
write('setup', storageOf('setup'));
write('gateway', { ...accountsOf('gateway'), GRPC_SERVICE_TOKENS: gatewayToken });
write('dashboard', { ...accountsOf('dashboard'), GRPC_SERVICE_TOKENS: dashboardToken });
write('api', {
  ...storageOf('api'),
  GRPC_SERVICE_TOKENS: `gateway:${gatewayToken},dashboard:${dashboardToken}`,
});
write('relay', storageOf('relay'));
write('worker', storageOf('worker'));
write('operator', { ...storageOf('operator'), CREDENTIAL_PEPPER: pepper });
