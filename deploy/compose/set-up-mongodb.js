import console from 'node:console';
import { readFileSync } from 'node:fs';
import { argv } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { URL } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { mongo } from 'mongoose';

// Initiates the replica set of docker-compose.yml, and creates its users with the roles of ../mongodb/roles.js.
//   node set-up-mongodb.js PASSWORDS_FILE HOST:PORT
// HOST:PORT is the address of MongoDB for the services. This program must reach it on loopback, where MongoDB lets a client
// without a password create the first user. It only adds what is missing, so each start runs it.

const [passwordsFile, host = ''] = argv.slice(2);
const { root, users } = JSON.parse(readFileSync(passwordsFile, 'utf8'));
const url = `mongodb://127.0.0.1:${host.split(':')[1] ?? ''}/?directConnection=true`;
const rolesFile = new URL('../mongodb/roles.js', import.meta.url);
const name = 'jobs-delete';
const authenticationFailed = 18;
const roleOf = {
  'jobs-delete-setup': 'jobsDeleteSetUp',
  'jobs-delete-gateway': 'jobsDeleteGateway',
  'jobs-delete-dashboard': 'jobsDeleteDashboard',
  'jobs-delete-api': 'jobsDeleteApi',
  'jobs-delete-relay': 'jobsDeleteRelay',
  'jobs-delete-worker': 'jobsDeleteWorker',
  'jobs-delete-operator': 'readWrite',
};

await withClient({}, initiate);
const auth = { username: 'root', password: root };
if (!(await withClient({ auth }, works))) await withClient({}, createRoot);
await withClient({ auth }, createUsers);

async function withClient(options, use) {
  const client = new mongo.MongoClient(url, options);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

async function initiate(client) {
  const admin = client.db('admin');
  const { setName } = await admin.command({ hello: 1 });
  const members = [{ _id: 0, host }];
  if (setName === undefined) await admin.command({ replSetInitiate: { _id: 'rs0', members } });
  const isPrimary = async () => (await admin.command({ hello: 1 })).isWritablePrimary;
  if (await isPrimary()) return;
  console.log(`Waiting until MongoDB at ${host} is the primary of rs0`);
  while (!(await isPrimary())) await delay(100);
}

function works(client) {
  return client.connect().then(
    () => true,
    (error) => {
      if (error.code === authenticationFailed) return false;
      throw error;
    },
  );
}

function createRoot(client) {
  return client.db('admin').command({ createUser: 'root', pwd: root, roles: ['root'] });
}

async function createUsers(client) {
  const database = client.db(name);
  for (const { role, ...rights } of documentedRoles()) {
    const { roles } = await database.command({ rolesInfo: role });
    await database.command({ [roles.length === 0 ? 'createRole' : 'updateRole']: role, ...rights });
  }
  for (const [user, pwd] of Object.entries(users)) {
    const found = await database.command({ usersInfo: user });
    const command = found.users.length === 0 ? 'createUser' : 'updateUser';
    await database.command({ [command]: user, pwd, roles: [roleOf[user]] });
  }
}

/** Reads the file for mongosh. */
function documentedRoles() {
  const roles = [];
  const db = { getName: () => name, createRole: (role) => roles.push(role) };
  runInContext(readFileSync(rolesFile, 'utf8'), createContext({ db }));
  return JSON.parse(JSON.stringify(roles));
}
