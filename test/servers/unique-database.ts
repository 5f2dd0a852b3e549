import { randomBytes } from 'node:crypto';

/** Returns the server's URL with another database. */
export function databaseUrl(serverUrl: string, name: string): string {
  const [, scheme = '', userInfo = '', hosts = '', path = '', query = ''] =
    /^(mongodb(?:\+srv)?:\/\/)([^@/]*@)?([^/?]+)(?:\/([^?]*))?(?:\?(.*))?$/.exec(serverUrl) ?? [];
  const parameters = new URLSearchParams(query);
  // The default would be the database of the suite, which has no users.
  if (userInfo !== '' && !parameters.has('authSource'))
    parameters.set('authSource', path === '' ? 'admin' : path);
  return `${scheme}${userInfo}${hosts}/${name}?${parameters.toString()}`;
}

/** Returns a name that no other suite or run uses: they share the servers. */
export function uniqueName(prefix: string): string {
  return `${prefix}_${randomBytes(6).toString('hex')}`;
}
