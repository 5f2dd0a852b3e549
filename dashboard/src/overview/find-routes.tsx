import { isDeletionId, isJobId } from '@jobs-delete/proto/ids';
import { findByIdPart, readIdPart } from '../activity/find-deletions.ts';
import { ifSoon } from '../deleter/answer-to.ts';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import { translated } from '../web/language.ts';
import type { MemberVisit, Route } from '../web/route.ts';
import { SearchForm } from '../web/search-form.tsx';

const path = '/find';
const maxLength = 200;

/** Leads from the search of the overview to the one for deletions or jobs. */
export function findRoutes({ deleter }: Pick<Services, 'deleter'>): readonly Route[] {
  return [
    {
      method: 'GET',
      path,
      access: 'viewer',
      serve: async (visit) => {
        const text = (visit.query.get('find') ?? '').slice(0, maxLength).trim();
        const isOfDeletion = await meansDeletion(deleter, visit.accountId, text);
        const query = new URLSearchParams({ [isOfDeletion ? 'id' : 'find']: text }).toString();
        return {
          kind: 'redirect',
          to: accountPath(visit, `/${isOfDeletion ? 'activity' : 'jobs'}?${query}`),
        };
      },
    },
  ];
}

/**
 * Lists cut a Deletion-Id with dots. Its beginning can also be the id of a job or a part of a title: then it means a deletion only
 * if no job has this id, and a deletion begins with it.
 */
async function meansDeletion(
  deleter: Services['deleter'],
  accountId: string,
  text: string,
): Promise<boolean> {
  const part = readIdPart(text);
  if (part === undefined) return false;
  if (isDeletionId(text) || /…|\.{3}/.test(text)) return true;
  const [job, found] = await Promise.all([
    isJobId(text) ? ifSoon(deleter.getJob(accountId, text)) : undefined,
    ifSoon(findByIdPart(deleter, accountId, part)),
  ]);
  return job === undefined && found !== undefined && found.deletions.length > 0;
}

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
