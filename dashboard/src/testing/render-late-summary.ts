import { render } from 'preact-render-to-string';
import { LateSummary } from '../overview/overview-routes.tsx';
import type { Language } from '../web/language.ts';

/** Returns what the overview of an account with deletions and refused requests shows while the deleter still counts. */
export function renderLateSummary(accountId: string, language: Language): string {
  const visit = { accountId, language, url: `/a/${accountId}/overview`, nowMs: 0 };
  return render(LateSummary({ visit, hasChart: true, hasRefused: true }));
}
