import type { Credential } from '@jobs-delete/accounts/accounts';
import { deletionStates } from '../deleter/deletion.ts';
import { accountPath } from '../web/account-path.ts';
import { SelectField, TextField } from '../web/form.tsx';
import type { MemberVisit } from '../web/route.ts';
import { shortId } from '../web/marks.tsx';
import {
  type ActivityFilter,
  dayOf,
  defaultChartDays,
  type FilterProblems,
  filterQuery,
  firstDayOf,
  isFiltered,
} from './activity-filter.ts';
import { activityTexts } from './activity-texts.ts';
import { DayFields } from './day-fields.tsx';

interface FilterFormProps {
  readonly visit: MemberVisit;
  readonly filter: ActivityFilter;
  readonly problems: FilterProblems;
  readonly tokens: readonly Credential[];
}

export interface ToolsProps extends FilterFormProps {
  /** A Deletion-Id that the account does not have. */
  readonly unknownId: string | undefined;
}

/** One line above the deletions: the period, the search for one of them, and the filter, which opens below. */
export function Tools({ unknownId, ...props }: ToolsProps) {
  return (
    <div class="tools">
      <Periods {...props} />
      <FindForm visit={props.visit} unknownId={unknownId} />
      <FilterForm {...props} />
    </div>
  );
}

/** More would make the page too large. */
const maxTokens = 100;

/** Is closed until it is in use. A chosen period does not open it: its link is marked. */
function FilterForm({ visit, filter, problems, tokens }: FilterFormProps) {
  const { filter: texts, states } = activityTexts[visit.language];
  const all = { value: '', text: texts.all };
  const withoutPeriod = periodOf(filter, visit.nowMs) === undefined ? filter : { ...filter, from: '' };
  return (
    <details open={isFiltered(withoutPeriod)}>
      <summary class="button quiet">{texts.heading}</summary>
      <form method="get" action={accountPath(visit, '/activity')} class="card filters">
        <SelectField
          name="state"
          label={texts.state}
          options={[all, ...deletionStates.map((state) => ({ value: state, text: states[state] }))]}
          value={filter.state ?? ''}
        />
        <SelectField
          name="token"
          label={texts.token}
          options={[all, ...tokenOptions(tokens, filter.tokenId)]}
          value={filter.tokenId}
        />
        <DayFields language={visit.language} range={filter} problems={problems} />
        <button>{texts.apply}</button>
      </form>
    </details>
  );
}

const periods = [7, 30, 90];

/** Returns how many days with today the chart has, if that is a period with a link. */
function periodOf({ from, to }: ActivityFilter, nowMs: number): number | undefined {
  if (to !== '') return undefined;
  if (from === '') return defaultChartDays;
  return periods.find((days) => dayOf(firstDayOf(nowMs, days)) === from);
}

export interface PeriodsProps {
  readonly visit: Pick<MemberVisit, 'accountId' | 'language' | 'nowMs'>;
  readonly filter: ActivityFilter;
}

/** Links to the deletions of the last days, which keep state and token, and a link to all deletions. */
export function Periods({ visit, filter }: PeriodsProps) {
  const { filter: texts } = activityTexts[visit.language];
  const chosen = periodOf(filter, visit.nowMs);
  const pathOf = (query: string) => accountPath(visit, `/activity${query}`);
  return (
    <>
      <p class="periods" role="group" aria-label={texts.period}>
        {periods.map((days) => (
          <a
            href={pathOf(filterQuery({ ...filter, from: dayOf(firstDayOf(visit.nowMs, days)), to: '' }))}
            aria-current={days === chosen ? 'true' : undefined}
          >
            {texts.lastDays(String(days))}
          </a>
        ))}
      </p>
      {isFiltered(filter) && <a href={pathOf('')}>{texts.clear}</a>}
    </>
  );
}

/** The tokens that were used last, and the one that is chosen. */
export function tokenOptions(tokens: readonly Credential[], chosen: string) {
  const lastUse = ({ lastUsedAtMs, createdAtMs }: Credential) => lastUsedAtMs ?? createdAtMs;
  const latest = tokens.toSorted((a, b) => lastUse(b) - lastUse(a)).slice(0, maxTokens);
  const other = tokens.find(({ id }) => id === chosen);
  const shown = other === undefined || latest.includes(other) ? latest : [other, ...latest];
  return shown.map(({ id, name }) => ({
    value: id,
    text: name === undefined ? id : `${name} (${shortId(id)})`,
  }));
}

/** Leads to the page of a deletion. */
function FindForm({ visit, unknownId }: Pick<ToolsProps, 'visit' | 'unknownId'>) {
  const { find: texts } = activityTexts[visit.language];
  return (
    <form method="get" action={accountPath(visit, '/activity')} class="inline find" role="search">
      <TextField
        name="id"
        label={texts.label}
        placeholder={texts.id}
        value={unknownId?.slice(0, 100) ?? ''}
        problem={unknownId && (isShortened(unknownId) ? texts.shortened : texts.unknown)}
        maxLength={100}
        autocomplete="off"
        required
      />
      <button class="quiet">{texts.find}</button>
    </form>
  );
}

/** Returns whether a text is part of an id: a short one as lists show it, or its beginning. */
function isShortened(text: string): boolean {
  return /…|\.\.\./.test(text) || /^[\da-f][\da-f-]{3,34}$/i.test(text);
}
