import { ifSoon } from '../deleter/answer-to.ts';
import { accountOf, patternOf } from '../web/account-path.ts';
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
  const { pathname, searchParams: query } = new URL(path, 'http://host');
  const page = findPage(routes, visit, pathname);
  if (!page?.route.recent) return undefined;
  const { route, params } = page;
  const serve = async () => route.serve({ ...visit, url: path, params, query });
  const reply = await ifSoon(serve()).catch(() => undefined);
  return reply?.kind === 'page' && (reply.status ?? 200) === 200 ? reply.title : undefined;
}

/**
 * Returns the nearest page at or above a path that asks this member for no recent sign-in: `/a/acme/keys/token/ID` for
 * `/a/acme/keys/token/ID/revoke`.
 */
export function findUnguarded(
  routes: readonly Route[],
  visit: MemberVisit,
  path: string,
): string | undefined {
  let { pathname } = new URL(path, 'http://host');
  while (pathname !== '') {
    const page = findPage(routes, visit, pathname);
    if (page !== undefined && !page.route.recent) return pathname;
    pathname = pathname.slice(0, pathname.lastIndexOf('/'));
  }
  return undefined;
}

/** Returns the page at a path, if it is of the account and this member may open it. The sign-in itself is no such page. */
function findPage(routes: readonly Route[], visit: MemberVisit, pathname: string) {
  if (accountOf(pathname) !== visit.accountId || /^\/a\/[^/]+\/sign-in\//.test(pathname)) return undefined;
  for (const route of routes) {
    const params = route.method === 'GET' && paramsOf(route, pathname);
    if (!params) continue;
    const isOpen =
      route.access !== 'anyone' && route.access !== 'session' && includesRole(visit.role, route.access);
    return isOpen ? { route, params } : undefined;
  }
  return undefined;
}

/** Returns the variable parts of a path; undefined for a path of another route. */
function paramsOf(route: Route, pathname: string): MemberVisit['params'] | undefined {
  const pattern = patternOf(route).replaceAll(/:(\w+)/g, '(?<$1>[\\w-]+)');
  const match = new RegExp(`^${pattern}$`, 'i').exec(pathname);
  return match ? { ...match.groups } : undefined;
}
