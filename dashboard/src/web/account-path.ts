import type { Route } from './route.ts';

/**
 * Returns the address of a page of an account. The id is in the address, so every tab, link and form keeps its account.
 * An id may be any word, also `sign-in`: the first segment keeps it apart from the pages of no account.
 */
export function accountPath({ accountId }: { readonly accountId: string }, path: `/${string}`): `/${string}` {
  return `/a/${accountId}${path}`;
}

/** Returns the values that are not empty as the query of an address, such as `?state=completed`; an empty text for none. */
export function queryOf(values: Readonly<Record<string, string | undefined>>): string {
  const set = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(set as [string, string][]).toString();
  return query === '' ? '' : `?${query}`;
}

/** A search among the jobs, or those that wait for deletion, and one of its pages. */
type JobListQuery = Readonly<Partial<Record<'find' | 'show' | 'pages', string | undefined>>>;

export function readJobList(query: URLSearchParams): JobListQuery {
  const read = (field: string) => query.get(field) ?? undefined;
  return { find: read('find'), show: read('show'), pages: read('pages') };
}

export function jobListPath(member: { readonly accountId: string }, list: JobListQuery = {}): string {
  return accountPath(member, `/jobs${queryOf({ ...list })}`);
}

/** Returns the address of a job. The way back on its page leads to the list that it has. */
export function jobPath(
  member: { readonly accountId: string },
  jobId: string,
  { page, ...list }: JobListQuery & { readonly page?: string | undefined } = {},
): string {
  return accountPath(member, `/jobs${queryOf({ job: jobId, page, ...list })}`);
}

/** Returns the address of what a person did, in the audit trail. */
export function actorPath(member: { readonly accountId: string }, actor: string): string {
  return accountPath(member, `/trail${queryOf({ actor })}`);
}

/** Returns the address of the sign-in, which leads to a path of the dashboard. */
export function signInPath(next: string): string {
  return next === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`;
}

/** Returns where a member confirms who they are, before a path of the dashboard. */
export function signInAgainPath(member: { readonly accountId: string }, next: string): string {
  return accountPath(member, `/sign-in/again?next=${encodeURIComponent(next)}`);
}

/** Returns the account of an address; undefined for a page of no account. */
export function accountOf(url: string): string | undefined {
  return /^\/a\/([\w-]{1,64})(?:[/?]|$)/.exec(url)?.[1];
}

/** Returns whether the pages of a route belong to an account: those that need a role in it. */
export function isOfAccount({ access }: Pick<Route, 'access'>): boolean {
  return access !== 'anyone' && access !== 'session';
}

/** Returns the pattern of a route's addresses, in the form of Express. */
export function patternOf(route: Pick<Route, 'access' | 'path'>): string {
  return isOfAccount(route) ? `/a/:account${route.path}` : route.path;
}

/**
 * Returns the text if it is a path of the dashboard, otherwise `/`: a link must not lead people to another site. The path loses its
 * notice: a link must not claim a change, and a page must not show its notice again.
 */
export function safePath(text: string | null): string {
  if (text === null || !/^\/(?![/\\])[\x21-\x7e]*$/.test(text) || text.includes('\\')) return '/';
  const [path = '', ...queries] = text.split('?');
  const query = new URLSearchParams(queries.join('?'));
  if (!query.has('notice')) return text;
  query.delete('notice');
  return query.size === 0 ? path : `${path}?${String(query)}`;
}
