import type { Deletion } from '../deleter/deletion.ts';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import type { Language } from '../web/language.ts';
import { includesRole, type MemberVisit, type Reply, type Route } from '../web/route.ts';
import { Life, RequestFacts } from './deletion-facts.tsx';
import { isDeletionId } from './deletion-id.ts';
import { deletionTexts } from './deletion-texts.ts';
import { tokenNames } from './token-names.ts';

const shownIds = 100;
const idsPerChunk = 1_000;

/** The page of a deletion, and its ids as a text file. */
export function deletionRoutes({
  accounts,
  deleter,
}: Pick<Services, 'accounts' | 'deleter'>): readonly Route[] {
  const findWithIds = async ({ accountId, params }: MemberVisit) => {
    const { id = '' } = params;
    return isDeletionId(id) ? deleter.getDeletion(accountId, id, { includeJobIds: true }) : undefined;
  };
  return [
    {
      method: 'GET',
      path: '/activity/:id',
      access: 'viewer',
      serve: async (visit) => {
        const [deletion, tokens] = await Promise.all([
          findWithIds(visit),
          accounts.listCredentials('token', visit.accountId),
        ]);
        if (deletion === undefined) return { kind: 'not-found' };
        return deletionPage(visit, deletion, tokenNames(tokens));
      },
    },
    {
      method: 'GET',
      path: '/activity/:id/ids.txt',
      access: 'viewer',
      serve: async (visit) => {
        const deletion = await findWithIds(visit);
        if (deletion === undefined) return { kind: 'not-found' };
        const { id, jobIds = [] } = deletion;
        return {
          kind: 'file',
          name: `deletion-${id}.txt`,
          mediaType: 'text/plain; charset=utf-8',
          chunks: linesOf(jobIds),
        };
      },
    },
  ];
}

function deletionPage(
  { language, role }: MemberVisit,
  deletion: Deletion,
  names: ReadonlyMap<string, string>,
): Reply {
  const texts = deletionTexts[language];
  const events = ['completed', 'cancelled'].includes(deletion.state)
    ? undefined
    : accountPath(deletion, `/activity/${deletion.id}/events`);
  const body = (
    <>
      <p>
        Deletion-Id <code>{deletion.id}</code>
      </p>
      <h2 id="life-heading">{texts.life}</h2>
      <section id="life" aria-labelledby="life-heading" aria-live="polite" data-events={events}>
        <Life language={language} deletion={deletion} mayCancel={includesRole(role, 'manager')} />
      </section>
      <h2>{texts.request}</h2>
      <RequestFacts language={language} deletion={deletion} tokenNames={names} />
      <JobIds language={language} deletion={deletion} />
      <p>
        <a href={accountPath(deletion, '/activity')}>{texts.back}</a>
      </p>
    </>
  );
  return { kind: 'page', title: texts.title, body };
}

function JobIds({ language, deletion }: { readonly language: Language; readonly deletion: Deletion }) {
  const texts = deletionTexts[language];
  const { id, jobIds = [] } = deletion;
  const format = new Intl.NumberFormat(language);
  return (
    <>
      <h2>{texts.ids}</h2>
      {jobIds.length > shownIds && (
        <p>{texts.firstIds(format.format(shownIds), format.format(jobIds.length))}</p>
      )}
      <ul class="ids">
        {jobIds.slice(0, shownIds).map((jobId) => (
          <li>
            <a href={accountPath(deletion, `/jobs?job=${jobId}`)}>
              <code>{jobId}</code>
            </a>
          </li>
        ))}
      </ul>
      <p>
        <a href={accountPath(deletion, `/activity/${id}/ids.txt`)}>{texts.download}</a>
      </p>
    </>
  );
}

async function* linesOf(jobIds: readonly string[]): AsyncGenerator<string> {
  for (let first = 0; first < jobIds.length; first += idsPerChunk)
    yield await Promise.resolve(`${jobIds.slice(first, first + idsPerChunk).join('\n')}\n`);
}
