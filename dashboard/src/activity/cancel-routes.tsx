import { createHash } from 'node:crypto';
import { deletionSubject } from '@jobs-delete/accounts/people/audit-trail';
import { findTitles, ifSoon } from '../deleter/answer-to.ts';
import type { Deletion } from '../deleter/deletion.ts';
import { findTokenNames } from '../keys/key-state.ts';
import { shownIds, TitledIds } from '../jobs/id-list.tsx';
import { findUnlimited } from '../safety/limit-start.ts';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import { details } from '../web/aside.tsx';
import { auditEntry } from '../web/audit-entry.ts';
import { FactGrid } from '../web/facts.tsx';
import { Alert, formPage } from '../web/form.tsx';
import { withNotice } from '../web/notices.ts';
import { ifFound, type MemberVisit, type Reply, type Route } from '../web/route.ts';
import { dayMs, formatDistance, Time } from '../web/time.tsx';
import { jobsText, titleOf } from './deletion-facts.tsx';
import { deletionTexts } from './deletion-texts.ts';

type Needed = Pick<Services, 'accounts' | 'deleter'>;

const path = '/activity/:id/cancel';

/**
 * The form that cancels a deletion that waits. It asks for no recent sign-in: it removes nothing, and the delay may end
 * soon.
 */
export function cancelRoutes(services: Needed): readonly Route[] {
  const find =
    (includeJobIds: boolean) =>
    async ({ accountId, params: { id = '' } }: MemberVisit) =>
      services.deleter.getDeletion(accountId, id, { includeJobIds });
  return [
    {
      method: 'GET',
      path,
      access: 'manager',
      serve: ifFound(find(true), (visit, deletion) => {
        if (deletion.state === 'waiting') return confirmationPage(services, visit, deletion);
        return deletion.state === 'cancelled'
          ? { kind: 'redirect', to: accountPath(visit, `/activity/${deletion.id}`) }
          : notCancellable(visit, deletion);
      }),
    },
    {
      method: 'POST',
      path,
      access: 'manager',
      serve: ifFound(find(false), (visit, deletion) => {
        if (deletion.state === 'waiting') return cancel(services, visit, deletion);
        return deletion.state === 'cancelled'
          ? cancelled(services, visit, deletion)
          : notCancellable(visit, deletion);
      }),
    },
  ];
}

/** A relay may begin the removal at the same moment. The api decides which of both takes effect. */
async function cancel(services: Needed, visit: MemberVisit, deletion: Deletion): Promise<Reply> {
  const { accounts, deleter } = services;
  const { accountId, email, language, userAgent } = visit;
  // The entry comes before the call, because it records the request only. The page of the deletion shows the outcome.
  const entry = auditEntry(visit, 'cancellation.requested', deletionSubject(deletion.id, deletion.jobCount));
  await accounts.recordAction({ ...entry, id: entryId(visit, deletion) });
  const origin = { person: email, userAgent, language };
  const outcome = await deleter.cancelDeletion(accountId, deletion.id, origin);
  if (outcome === undefined) return { kind: 'not-found' };
  return outcome === 'not-cancellable'
    ? notCancellable(visit, deletion)
    : cancelled(services, visit, outcome);
}

/** One entry for each person and deletion, however often the form is sent. */
function entryId({ person }: Pick<MemberVisit, 'person'>, { accountId, id }: Deletion): string {
  return createHash('sha256').update(`cancel ${accountId} ${id} ${person.id}`).digest('hex').slice(0, 24);
}

async function cancelled(services: Needed, visit: MemberVisit, deletion: Deletion): Promise<Reply> {
  const to = accountPath(deletion, `/activity/${deletion.id}`);
  if (deletion.cancelOrigin !== undefined && deletion.cancelOrigin.person !== visit.email)
    return { kind: 'redirect', to: withNotice(to, 'deletion-cancelled-already') };
  const counts = await countsTowardLimit(services, visit, deletion);
  return { kind: 'redirect', to: withNotice(to, counts ? 'deletion-cancelled-limit' : 'deletion-cancelled') };
}

/** Resolves to whether a deletion counts toward a limit, also once it is cancelled. False if no api answers soon. */
async function countsTowardLimit(
  { accounts, deleter }: Needed,
  visit: MemberVisit,
  { accountId, acceptedAtMs }: Pick<Deletion, 'accountId' | 'acceptedAtMs'>,
): Promise<boolean> {
  if (visit.nowMs - acceptedAtMs >= dayMs) return false;
  const safety = await ifSoon(deleter.getSafety(accountId));
  if (safety?.limit === undefined) return false;
  const unlimited = await findUnlimited({ accounts }, visit);
  return !unlimited.some(({ fromMs, toMs }) => acceptedAtMs >= fromMs && acceptedAtMs < toMs);
}

function notCancellable(visit: MemberVisit, deletion: Deletion): Reply {
  const texts = deletionTexts[visit.language];
  const body = (
    <>
      <Alert problem={texts.notCancellable} />
      <p>
        <a href={accountPath(visit, `/activity/${deletion.id}`)}>{texts.toDeletion}</a>
      </p>
    </>
  );
  return { kind: 'page', status: 409, title: titleOf(deletion, visit), body };
}

async function confirmationPage(services: Needed, visit: MemberVisit, deletion: Deletion): Promise<Reply> {
  const { accounts, deleter } = services;
  const { accountId, language, nowMs } = visit;
  const { id, jobCount, jobIds = [], acceptedAtMs, removalAtMs } = deletion;
  const { tokenId, person } = deletion.origin;
  const texts = deletionTexts[language];
  const [{ tokenName }, titles, counts] = await Promise.all([
    findTokenNames(accounts, deletion),
    findTitles(deleter, accountId, jobIds.slice(0, shownIds)),
    countsTowardLimit(services, visit, deletion),
  ]);
  const reply = formPage(visit, {
    title: texts.cancelTitle(jobsText(jobCount, language)),
    action: accountPath(visit, `/activity/${id}/cancel`),
    fields: (
      <>
        {removalAtMs !== undefined && (
          <p>
            <strong>
              {texts.removal} {formatDistance(removalAtMs - nowMs, language)}.
            </strong>
          </p>
        )}
        <p>{texts.cancelWarning}</p>
        {counts && <p>{texts.cancelLimit}</p>}
      </>
    ),
    submit: texts.cancelSubmit(jobsText(jobCount, language), jobCount),
    back: <a href={accountPath(visit, `/activity/${id}`)}>{texts.toDeletion}</a>,
    aside: details(
      language,
      <FactGrid
        facts={[
          [
            texts.removal,
            removalAtMs !== undefined && (
              <>
                {formatDistance(removalAtMs - nowMs, language)},{' '}
                <Time ms={removalAtMs} language={language} withSeconds />
              </>
            ),
            true,
          ],
          [texts.jobs, new Intl.NumberFormat(language).format(jobCount)],
          [texts.accepted, <Time ms={acceptedAtMs} language={language} withSeconds />],
          [texts.token, tokenName ?? tokenId],
          [texts.person, person, true],
          ['Deletion-Id', <code>{id}</code>],
        ]}
      />,
    ),
  });
  const body = (
    <>
      {reply.body}
      <section>
        <h2>{texts.jobs}</h2>
        <div class="card">
          <TitledIds {...{ language, jobIds, titles }} />
        </div>
      </section>
    </>
  );
  return { ...reply, body };
}
