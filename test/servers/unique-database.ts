import { randomBytes } from 'node:crypto';

/** The server's URL for a database of the suite's own. */
export function databaseUrl(serverUrl: string, name: string): string {
  const [, scheme = '', userInfo = '', hosts = '', path = '', query = ''] =
    /^(mongodb(?:\+srv)?:\/\/)([^@/]*@)?([^/?]+)(?:\/([^?]*))?(?:\?(.*))?$/.exec(serverUrl) ?? [];
  const parameters = new URLSearchParams(query);
  // Without one, the user would be looked for in the suite's database.
  if (userInfo !== '' && !parameters.has('authSource'))
    parameters.set('authSource', path === '' ? 'admin' : path);
  return `${scheme}${userInfo}${hosts}/${name}?${parameters.toString()}`;
}

/** Suites share servers and may run at the same time, also those of other runs. */
export function uniqueName(prefix: string): string {
  return `${prefix}_${randomBytes(6).toString('hex')}`;
}
