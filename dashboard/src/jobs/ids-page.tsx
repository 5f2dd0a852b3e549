import type { ComponentChild } from 'preact';
import type { AccountSafety } from '../deleter/account-safety.ts';
import { jobsLeft, limitText } from '../safety/limit-card.tsx';
import { accountPath } from '../web/account-path.ts';
import { CsrfField, TextArea } from '../web/form.tsx';
import type { MemberVisit, Reply } from '../web/route.ts';
import { formatDuration } from '../web/time.tsx';
import { deleteJobsTexts } from './delete-jobs-texts.ts';
import { idNames } from './pasted-ids.ts';
import { idFields, idsPath as path, leaveOutField } from './sent-ids.ts';

export const filePath = '/jobs/delete/file';
/** In base64, it fits into the form. */
const maxWorkbookBytes = 1_000_000;

interface IdsFieldProps {
  readonly visit: MemberVisit;
  readonly text: string;
  readonly problem?: string | undefined;
  /** How many malformed ids can be left out. Default: none. */
  readonly malformed?: number | undefined;
}

/** The field with the ids. With script, a file fills it. */
export function IdsField({ visit, text, problem, malformed = 0 }: IdsFieldProps) {
  const { format } = new Intl.NumberFormat(visit.language);
  const texts = deleteJobsTexts[visit.language];
  return (
    <>
      <TextArea
        name="ids"
        label={texts.ids}
        hint={texts.hint}
        problem={problem}
        value={text}
        rows={12}
        required
        keptFrom={idFields}
        remedy={
          malformed > 0 && (
            <button class="quiet" name={leaveOutField} value="yes">
              {malformed === 1 ? texts.leaveOutOne : texts.leaveOut(format(malformed))}
            </button>
          )
        }
      />
      <div
        class="field"
        hidden
        data-reads-into="ids"
        data-elements={idNames.join(' ')}
        data-workbook={accountPath(visit, filePath)}
        data-max-bytes={maxWorkbookBytes}
      >
        <label for="file">{texts.file}</label>
        <input id="file" type="file" accept=".txt,.csv,.xml,.xlsx,text/plain,text/csv,text/xml" />
        <p class="problem" role="alert" hidden>
          {texts.notSent}
        </p>
      </div>
    </>
  );
}

/** How many jobs the rules of the account still allow, and when they are removed. Shows nothing without a rule. */
function Allows({ visit, rules }: { readonly visit: MemberVisit; readonly rules: AccountSafety }) {
  const { language } = visit;
  const { limit, usage, removalDelayMs } = rules;
  if (limit === undefined && removalDelayMs === 0) return null;
  const { allows: texts } = deleteJobsTexts[language];
  const { format } = new Intl.NumberFormat(language);
  return (
    <p>
      {limit &&
        (usage?.limitJobs === undefined
          ? texts.limit(limitText(limit, language))
          : texts.left(format(jobsLeft(usage.limitJobs, usage)), format(usage.limitJobs)))}{' '}
      {removalDelayMs > 0 && texts.delay(formatDuration(removalDelayMs, language))}{' '}
      <a href={accountPath(visit, '/safety')}>{texts.rules}</a>
    </p>
  );
}

interface IdsPage extends Omit<IdsFieldProps, 'visit' | 'text'> {
  readonly text?: string;
  /** Says why a deletion of these ids was refused. */
  readonly warning?: ComponentChild;
  readonly status?: number;
  readonly rules?: AccountSafety | undefined;
}

/** The page where a person enters the ids of the jobs to delete. */
export function idsPage(visit: MemberVisit, page: IdsPage): Reply {
  const { text = '', problem, warning, status = 422, malformed, rules } = page;
  const texts = deleteJobsTexts[visit.language];
  const body = (
    <form method="post" action={accountPath(visit, path)}>
      <CsrfField visit={visit} />
      {warning ?? <p>{texts.intro}</p>}
      {rules && <Allows visit={visit} rules={rules} />}
      <IdsField {...{ visit, text, problem, malformed }} />
      <p class="actions">
        <button>{texts.preview}</button>
        <a href={accountPath(visit, '/jobs')}>{texts.back}</a>
      </p>
    </form>
  );
  return {
    kind: 'page',
    status: problem === undefined && warning === undefined ? 200 : status,
    title: texts.title,
    body,
    isKept: true,
  };
}
