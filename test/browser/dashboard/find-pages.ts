import type { Route } from '@jobs-delete/dashboard/web/route';
import type { FilledAccount } from './fill-account.ts';

/** A page of the dashboard with values for the variable parts of its path. */
export interface DashboardPage {
  readonly path: string;
  readonly access: Route['access'];
}

/** Returns every GET route. Throws for a variable part without a value: a new page needs one in `fillAccount`. */
export function findPages(
  routes: readonly Route[],
  { params, queries }: FilledAccount,
): readonly DashboardPage[] {
  return routes
    .filter(({ method }) => method === 'GET')
    .map(({ path, access }) => ({ path: withValues(path, params) + (queries[path] ?? ''), access }));
}

function withValues(path: string, params: FilledAccount['params']): string {
  const values = params[path.split('/')[1] ?? ''];
  return path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = values?.[name];
    if (value === undefined) throw new Error(`${path}: no value for ${name}`);
    return value;
  });
}
