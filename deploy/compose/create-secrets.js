import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv, env } from 'node:process';

// Writes the secrets of docker-compose.yml, a folder for each container that mounts one.
//   node create-secrets.js FOLDER MONGODB_HOST:PORT KAFKA_HOST:PORT
// Creates each random value once, in FOLDER/values.json. Writes the files again at each start, so an upgrade may add some.

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
writeFileSync(`${created}.new`, JSON.stringify(values), { mode: 0o600 });
renameSync(`${created}.new`, created);

/** Other users read the files: only the volume's container can. */
function write(name, files) {
  mkdirSync(join(folder, name), { recursive: true });
  for (const [file, content] of Object.entries(files))
    writeFileSync(join(folder, name, file), `${content}\n`);
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
