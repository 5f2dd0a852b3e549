import { patternOf } from './account-path.ts';
import type { Route } from './route.ts';

/** Returns the page that shows a form: that of the form's target, or the nearest one above it. */
export function pageOfForm(routes: readonly Route[], { path }: Pick<Route, 'path'>): Route | undefined {
  const pages = routes.filter(({ method }) => method === 'GET');
  for (let above: string = path; above !== ''; above = above.replace(/\/[^/]*$/, '')) {
    const page = pages.find((each) => each.path === above);
    if (page !== undefined) return page;
  }
  return undefined;
}

/** Returns the address of a form's page, with which the address of the form's target begins. */
export function pageOfFormAddress(page: Route, target: string): string {
  const [path = ''] = target.split('?', 1);
  return path.split('/').slice(0, patternOf(page).split('/').length).join('/');
}
