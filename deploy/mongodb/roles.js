// Creates a role for each process, without any right that it does not need. docs/least-privilege.md describes them.
//   mongosh "$ADMIN_URL" deploy/mongodb/roles.js
// $ADMIN_URL names the database of the service. With JOBS_COLLECTION, replace 'jobs' by its value.
/* global db */

const people = ['people', 'sessions', 'one_time_secrets', 'audit_entries'];
const refusals = ['refusal_counts', 'refused_requests'];
const ofAccounts = ['accounts', 'credentials', 'domain_uses', 'credential_pepper', ...refusals, ...people];
const ofJobs = ['jobs', 'deletions', 'insert_locks', 'safety_rules', 'deletion_usage'];

const may = (actions, ...collections) =>
  collections.map((collection) => ({ resource: { db: db.getName(), collection }, actions }));
const createRole = (role, ...privileges) => db.createRole({ role, privileges: privileges.flat(), roles: [] });

createRole(
  'jobsDeleteSetUp',
  may(['createCollection', 'createIndex', 'listIndexes'], ...ofJobs, ...ofAccounts, 'rate_limits'),
);
createRole(
  'jobsDeleteGateway',
  may(['listIndexes'], ...ofAccounts, 'rate_limits'),
  may(['find'], 'accounts'),
  may(['find', 'update'], 'credentials'),
  may(['find', 'insert', 'update'], 'domain_uses'),
  may(['find', 'insert', 'update'], 'credential_pepper', 'rate_limits'),
  may(['find', 'insert', 'update', 'remove'], ...refusals),
);
createRole(
  'jobsDeleteDashboard',
  may(['listIndexes'], ...ofAccounts),
  may(['find', 'insert', 'update'], 'accounts', 'credentials', 'credential_pepper'),
  may(['find', 'insert', 'update', 'remove'], 'people', 'sessions', 'one_time_secrets'),
  may(['find', 'remove'], 'domain_uses'),
  // Nobody changes an entry of the audit trail.
  may(['find', 'insert'], 'audit_entries'),
  may(['find'], ...refusals),
);
createRole(
  'jobsDeleteApi',
  may(['listIndexes'], ...ofJobs),
  may(['find'], 'jobs'),
  may(['find', 'insert', 'update'], 'deletions', 'insert_locks', 'deletion_usage', 'safety_rules'),
);
createRole('jobsDeleteRelay', may(['listIndexes'], ...ofJobs), may(['find', 'update'], 'deletions'));
createRole(
  'jobsDeleteWorker',
  may(['listIndexes'], ...ofJobs),
  may(['find', 'remove'], 'jobs'),
  may(['find', 'update', 'remove'], 'deletions'),
);
createRole('jobsDeleteAudit', may(['listIndexes'], ...ofJobs), may(['find'], 'jobs', 'deletions'));
