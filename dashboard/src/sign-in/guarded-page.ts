import { ifSoon } from '../deleter/answer-to.ts';
import { accountOf, accountPath, patternOf } from '../web/account-path.ts';
import { includesRole, type MemberVisit, type Route } from '../web/route.ts';

/**
 * Returns the title of the page at a path, if it asks this member for a recent sign-in. So the sign-in names the change that it
 * is for. Undefined: there is no such page, it does not come soon, or it fails: it will say so itself, after the sign-in.
 */
export async function titleOfGuarded(
  routes: readonly Route[],
  visit: MemberVisit,
  path: string,
): Promise<string | undefined> {
  if (sectionOf(visit, path) === undefined) return undefined;
  const { pathname, searchParams: query } = new URL(path, 'http://host');
  for (const route of routes) {
    const params = route.method === 'GET' && paramsOf(route, pathname);
    if (!params) continue;
    if (route.access === 'anyone' || route.access === 'session' || !route.recent) return undefined;
    if (!includesRole(visit.role, route.access)) return undefined;
    const serve = async () => route.serve({ ...visit, url: path, params, query });
    const reply = await ifSoon(serve()).catch(() => undefined);
    return reply?.kind === 'page' && (reply.status ?? 200) === 200 ? reply.title : undefined;
  }
  return undefined;
}

/** Returns the page of the key that a path changes, or the page of the menu above it. Neither asks for a recent sign-in. */
export function pageBefore(visit: Pick<MemberVisit, 'accountId'>, path: string): string | undefined {
  const section = sectionOf(visit, path);
  return section && (/^\/a\/[^/]*\/keys\/[\w-]+\/\w+(?=\/)/.exec(path)?.[0] ?? section);
}

/** Returns the page of the menu above a path: `/a/acme/keys` for `/a/acme/keys/new`. */
function sectionOf(visit: Pick<MemberVisit, 'accountId'>, path: string): `/${string}` | undefined {
  const section = /^\/a\/[^/]*\/([^/?]+)/.exec(path)?.[1];
  const isOwn = accountOf(path) === visit.accountId && section !== undefined && section !== 'sign-in';
  return isOwn ? accountPath(visit, `/${section}`) : undefined;
}

/** Returns the variable parts of a path; undefined for a path of another route. */
function paramsOf(route: Route, pathname: string): MemberVisit['params'] | undefined {
  const pattern = patternOf(route).replaceAll(/:(\w+)/g, '(?<$1>[\\w-]+)');
  const match = new RegExp(`^${pattern}$`).exec(pathname);
  return match ? { ...match.groups } : undefined;
}
