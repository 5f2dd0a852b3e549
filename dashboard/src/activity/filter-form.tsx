import type { Credential } from '@jobs-delete/accounts/accounts';
import type { ComponentChildren } from 'preact';
import { deletionStates } from '../deleter/deletion.ts';
import { accountPath } from '../web/account-path.ts';
import { SelectField, TextField } from '../web/form.tsx';
import type { MemberVisit } from '../web/route.ts';
import { shortId } from '../web/marks.tsx';
import {
  type ActivityFilter,
  chartDaysOf,
  dayOf,
  type FilterProblems,
  filterQuery,
  firstDayOf,
  isFiltered,
} from './activity-filter.ts';
import { activityTexts } from './activity-texts.ts';

export interface FilterFormProps {
  readonly visit: MemberVisit;
  readonly filter: ActivityFilter;
  readonly problems: FilterProblems;
  readonly tokens: readonly Credential[];
}

/** More would make the page too large. */
const maxTokens = 100;

export function FilterForm({ visit, filter, problems, tokens }: FilterFormProps) {
  const { filter: texts, states } = activityTexts[visit.language];
  const all = { value: '', text: texts.all };
  // A chosen period does not open the form: its link is marked.
  const withoutPeriod = periodOf(filter, visit.nowMs) === undefined ? filter : { ...filter, from: '' };
  const dayField = (name: 'from' | 'to') => {
    const problem = problems[name];
    return (
      <TextField
        name={name}
        label={texts[name]}
        type="date"
        value={filter[name]}
        problem={problem && texts.problems[problem]}
      />
    );
  };
  return (
    <Folded heading={texts.heading} isOpen={isFiltered(withoutPeriod)} visit={visit}>
      <SelectField
        name="state"
        label={texts.state}
        options={[all, ...deletionStates.map((state) => ({ value: state, text: states[state] }))]}
        value={filter.state ?? ''}
      />
      {dayField('from')}
      {dayField('to')}
      <SelectField
        name="token"
        label={texts.token}
        options={[all, ...tokenOptions(tokens, filter.tokenId)]}
        value={filter.tokenId}
      />
      <button>{texts.apply}</button>
    </Folded>
  );
}

const periods = [7, 30, 90];

/** Returns how many days with today the chart of the filter has, if that is a period with a link. */
function periodOf({ from, to }: ActivityFilter, nowMs: number): number | undefined {
  if (to !== '') return undefined;
  if (from === '') return chartDaysOf({ from, to }, nowMs).days;
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
    <p class="inline periods" role="group" aria-label={texts.period}>
      {periods.map((days) => (
        <a
          href={pathOf(filterQuery({ ...filter, from: dayOf(firstDayOf(visit.nowMs, days)), to: '' }))}
          aria-current={days === chosen ? 'true' : undefined}
        >
          {texts.lastDays(String(days))}
        </a>
      ))}
      {isFiltered(filter) && <a href={pathOf('')}>{texts.clear}</a>}
    </p>
  );
}

/** The tokens that were used last, and the one that is chosen. */
function tokenOptions(tokens: readonly Credential[], chosen: string) {
  const lastUse = ({ lastUsedAtMs, createdAtMs }: Credential) => lastUsedAtMs ?? createdAtMs;
  const latest = tokens.toSorted((a, b) => lastUse(b) - lastUse(a)).slice(0, maxTokens);
  const other = tokens.find(({ id }) => id === chosen);
  const shown = other === undefined || latest.includes(other) ? latest : [other, ...latest];
  return shown.map(({ id, name }) => ({
    value: id,
    text: name === undefined ? id : `${name} (${shortId(id)})`,
  }));
}

export interface FindFormProps {
  readonly visit: MemberVisit;
  readonly id: string;
  readonly isUnknown: boolean;
}

/** Leads to the page of a deletion. */
export function FindForm({ visit, id, isUnknown }: FindFormProps) {
  const { find: texts } = activityTexts[visit.language];
  return (
    <Folded heading={texts.heading} isOpen={isUnknown} visit={visit}>
      <TextField
        name="id"
        label={texts.id}
        value={id}
        problem={isUnknown ? texts.unknown : undefined}
        maxLength={100}
        autocomplete="off"
        required
      />
      <button>{texts.open}</button>
    </Folded>
  );
}

interface FoldedProps {
  readonly visit: MemberVisit;
  readonly heading: string;
  /** Whether the form is in use. */
  readonly isOpen: boolean;
  readonly children: ComponentChildren;
}

/** A form that takes one line until it is opened. */
function Folded({ visit, heading, isOpen, children }: FoldedProps) {
  return (
    <details class="card" open={isOpen}>
      <summary>{heading}</summary>
      <form method="get" action={accountPath(visit, '/activity')} class="filters" aria-label={heading}>
        {children}
      </form>
    </details>
  );
}
