import { readIdPart } from '../activity/find-deletions.ts';
import { accountPath } from '../web/account-path.ts';
import { translated } from '../web/language.ts';
import type { MemberVisit, Route } from '../web/route.ts';
import { SearchForm } from '../web/search-form.tsx';

const path = '/find';
const maxLength = 200;

/** Leads from the search of the overview to the one for deletions or jobs. A Deletion-Id has hyphens, or dots where a list cuts it. */
export const findRoutes: readonly Route[] = [
  {
    method: 'GET',
    path,
    access: 'viewer',
    serve: (visit) => {
      const text = (visit.query.get('find') ?? '').slice(0, maxLength).trim();
      const isOfDeletion = /[-…]|\.{3}/.test(text) && readIdPart(text) !== undefined;
      const query = new URLSearchParams({ [isOfDeletion ? 'id' : 'find']: text }).toString();
      return { kind: 'redirect', to: accountPath(visit, `/${isOfDeletion ? 'activity' : 'jobs'}?${query}`) };
    },
  },
];

/** Finds jobs and deletions of the account. */
export function FindForm({ visit }: { readonly visit: MemberVisit }) {
  return (
    <SearchForm
      action={accountPath(visit, path)}
      name="find"
      {...texts[visit.language]}
      value=""
      maxLength={maxLength}
    />
  );
}

const texts = translated({
  en: { label: 'Find jobs or a deletion', placeholder: 'Job id, title or Deletion-Id', button: 'Find' },
  fr: {
    label: 'Trouver des offres ou une suppression',
    placeholder: 'Id d’offre, titre ou Deletion-Id',
    button: 'Trouver',
  },
  es: {
    label: 'Buscar ofertas o una eliminación',
    placeholder: 'Id de oferta, título o Deletion-Id',
    button: 'Buscar',
  },
});
