import type { ComponentChild } from 'preact';
import type { AccountSafety } from '../deleter/account-safety.ts';
import { ifSoon } from '../deleter/answer-to.ts';
import { jobsLeft, limitText } from '../safety/limit-card.tsx';
import { safetyTexts } from '../safety/safety-texts.ts';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import { jobsFormScript } from '../web/assets.ts';
import { FactGrid } from '../web/facts.tsx';
import { formPage, TextArea } from '../web/form.tsx';
import type { Language } from '../web/language.ts';
import type { MemberVisit, Reply } from '../web/route.ts';
import { formatDuration } from '../web/time.tsx';
import { deleteJobsTexts } from './delete-jobs-texts.ts';
import { isJobId } from '@jobs-delete/proto/ids';
import { idNames, mayBeList, type UntitledColumn } from './pasted-ids.ts';
import { columnField, idFields, idsPath as path, leaveOutField, maxIdsFormBytes } from './sent-ids.ts';

export const filePath = '/jobs/delete/file';
/** In base64, it fits into the form. */
const maxWorkbookBytes = 1_000_000;

interface IdsFieldProps {
  readonly visit: MemberVisit;
  readonly text: string;
  readonly problem?: string | undefined;
  /** How many malformed ids can be left out. Default: none. */
  readonly malformed?: number | undefined;
  /** The columns of the text, one of which may have the ids. Default: none. */
  readonly columns?: readonly UntitledColumn[] | undefined;
}

/** The field with the ids. With script, a file fills it. */
export function IdsField({ visit, text, problem, malformed = 0, columns = [] }: IdsFieldProps) {
  const { format } = new Intl.NumberFormat(visit.language);
  const texts = deleteJobsTexts[visit.language];
  return (
    <>
      <script src={jobsFormScript.path} type="module" />
      <TextArea
        name="ids"
        label={texts.ids}
        hint={texts.hint}
        problem={problem}
        value={text}
        rows={8}
        required
        counted={{ one: texts.idCount.one, many: texts.idCount.many('#'), titles: idNames }}
        keptFrom={idFields}
        remedy={
          <>
            {columns.length > 0 && <ColumnChoice language={visit.language} columns={columns} />}
            {malformed > 0 && mayBeList(columns) && (
              <p>
                <button class="quiet" name={leaveOutField} value="yes">
                  {malformed === 1 ? texts.leaveOutOne : texts.leaveOut(format(malformed))}
                </button>
              </p>
            )}
          </>
        }
      />
      <div
        class="field drop"
        hidden
        data-reads-into="ids"
        data-elements={idNames.join(' ')}
        data-workbook={accountPath(visit, filePath)}
        data-max-bytes={maxWorkbookBytes}
        data-max-form-bytes={maxIdsFormBytes}
      >
        <label for="file">{texts.file}</label>
        <p class="hint" id="file-hint" data-file>
          {texts.fileKinds}
        </p>
        <input
          id="file"
          type="file"
          accept=".txt,.csv,.xml,.xlsx,text/plain,text/csv,text/xml"
          aria-describedby="file-hint"
        />
        <p class="problem" role="alert" data-not-sent hidden>
          {texts.notSent}
        </p>
        <p class="problem" role="alert" data-too-long hidden>
          {texts.tooLong}
        </p>
      </div>
    </>
  );
}

/** The most columns that a choice has. */
const maxColumns = 12;
/** How much of a cell it shows, and of how many of them. */
const maxShown = { letters: 24, cells: 3 };

interface ColumnChoiceProps {
  readonly language: Language;
  readonly columns: readonly UntitledColumn[];
}

/** Asks which column has the ids. Shows nothing if none can. */
function ColumnChoice({ language, columns }: ColumnChoiceProps) {
  const texts = deleteJobsTexts[language].columns;
  const possible = columns.filter(({ cells }) => cells.some(isJobId)).slice(0, maxColumns);
  if (possible.length === 0) return null;
  const shorten = (cell: string) =>
    cell.length > maxShown.letters ? `${cell.slice(0, maxShown.letters)}…` : cell;
  return (
    <fieldset class="field described">
      <legend>{texts.question}</legend>
      {possible.map(({ index, title, cells }) => (
        <button class="quiet" name={columnField} value={index}>
          {shorten(title) || texts.numbered(String(index + 1))}
          <span class="second">
            {cells
              .filter((cell) => cell !== '')
              .slice(0, maxShown.cells)
              .map(shorten)
              .join(', ')}
          </span>
        </button>
      ))}
    </fieldset>
  );
}

/** What the rules of the account still allow, and when jobs are removed. */
function Allows({
  visit,
  rules,
}: {
  readonly visit: MemberVisit;
  readonly rules: AccountSafety | undefined;
}) {
  const { language } = visit;
  const texts = deleteJobsTexts[language];
  const { limit: limitTexts, delay } = safetyTexts[language];
  return (
    <>
      <FactGrid
        facts={[
          [limitTexts.heading, rules && allowedText(rules, language), true],
          [
            delay.heading,
            rules &&
              (rules.removalDelayMs > 0
                ? texts.delayed(formatDuration(rules.removalDelayMs, language))
                : texts.permanent),
            true,
          ],
        ]}
      />
      {rules && <a href={accountPath(visit, '/safety')}>{texts.allows.rules}</a>}
    </>
  );
}

function allowedText({ limit, usage }: AccountSafety, language: Language): string {
  if (limit === undefined) return safetyTexts[language].limit.none;
  if (usage?.limitJobs === undefined) return limitText(limit, language);
  const { format } = new Intl.NumberFormat(language);
  const left = jobsLeft(usage.limitJobs, usage);
  return deleteJobsTexts[language].allows.left(format(left), format(usage.limitJobs));
}

interface IdsPage extends Omit<IdsFieldProps, 'visit' | 'text'> {
  readonly text?: string;
  /** Says why a deletion of these ids was refused. */
  readonly warning?: ComponentChild;
  readonly status?: number;
}

/** The page where a person enters the ids of the jobs to delete. */
export async function idsPage(
  { deleter }: Pick<Services, 'deleter'>,
  visit: MemberVisit,
  page: IdsPage,
): Promise<Reply> {
  const { text = '', problem, warning, status = 422, malformed, columns } = page;
  const rules = await ifSoon(deleter.getSafety(visit.accountId));
  const texts = deleteJobsTexts[visit.language];
  const reply = formPage(visit, {
    title: texts.title,
    status: problem === undefined && warning === undefined ? 200 : status,
    action: accountPath(visit, path),
    fields: (
      <>
        {warning}
        <IdsField {...{ visit, text, problem, malformed, columns }} />
      </>
    ),
    submit: texts.preview,
    back: <a href={accountPath(visit, '/jobs')}>{texts.back}</a>,
    aside: { title: texts.allows.title, content: <Allows visit={visit} rules={rules} /> },
  });
  const body = (
    <>
      <p>{texts.intro}</p>
      {reply.body}
    </>
  );
  return { ...reply, body, isKept: true };
}
