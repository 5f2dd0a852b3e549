import type { Credential } from '@jobs-delete/accounts/accounts';
import { deletionStates } from '../deleter/deletion.ts';
import { accountPath } from '../web/account-path.ts';
import { Form, SelectField } from '../web/form.tsx';
import { SearchForm } from '../web/search-form.tsx';
import { Segments } from '../web/segments.tsx';
import type { MemberVisit } from '../web/route.ts';
import { shortId } from '../web/marks.tsx';
import {
  type ActivityFilter,
  type FilterProblems,
  filterQuery,
  firstOfAll,
  readFilter,
  timesOf,
  withPeriod,
} from './activity-filter.ts';
import { activityTexts } from './activity-texts.ts';
import { DayFields } from './day-fields.tsx';
import { credentialNames } from '../keys/key-state.ts';
import { dayOf, firstDayOf, formatDay, formatDays, useTimeZone, utc } from '../web/time.tsx';

interface FilterFormProps {
  readonly visit: MemberVisit;
  readonly filter: ActivityFilter;
  readonly problems: FilterProblems;
  readonly tokens: readonly Credential[];
}

/** What is searched. */
export interface Search {
  readonly text: string;
  /** Why it leads to no deletion. */
  readonly problem?: string;
}

interface ToolsProps extends FilterFormProps {
  readonly search: Search | undefined;
}

/** One line above the deletions: the period, the search for one of them, and the filter, which opens below. */
export function Tools({ search, ...props }: ToolsProps) {
  return (
    <div class="tools">
      <Periods {...props} />
      <FindDeletionForm visit={props.visit} search={search} />
      <FilterForm {...props} />
    </div>
  );
}

/** More would make the page too large. */
const maxTokens = 100;

/** Is closed unless a day is wrong. What is chosen stands above the list. */
function FilterForm({ visit, filter, problems, tokens }: FilterFormProps) {
  const { filter: texts, states } = activityTexts[visit.language];
  const all = { value: '', text: texts.all };
  const { unknownState } = filter;
  const days = filter.from === firstOfAll ? { ...filter, from: '' } : filter;
  return (
    <details open={Object.keys(problems).length > 0}>
      <summary class="button quiet">{texts.heading}</summary>
      {/* Only the browser knows that a date is incomplete. */}
      <Form method="get" action={accountPath(visit, '/activity')} class="card filters" novalidate={false}>
        <SelectField
          name="state"
          label={texts.state}
          options={[
            all,
            ...(unknownState === undefined ? [] : [{ value: unknownState, text: unknownState }]),
            ...deletionStates.map((state) => ({ value: state, text: states[state] })),
          ]}
          value={filter.state ?? unknownState ?? ''}
          problem={problems.state && texts.unknownState(unknownState ?? '')}
        />
        <SelectField
          name="token"
          label={texts.token}
          options={[all, ...tokenOptions(tokens, filter.tokenId)]}
          value={filter.tokenId}
        />
        <DayFields language={visit.language} range={days} problems={problems} />
        <button>{texts.apply}</button>
      </Form>
    </details>
  );
}

/** In days with today. */
const periods = [7, 30, 90];

interface ChoicesProps {
  readonly visit: Pick<MemberVisit, 'accountId' | 'language' | 'nowMs'>;
  readonly filter: ActivityFilter;
  readonly tokens: readonly Credential[];
}

/** What is chosen, above the list: a link of each choice removes it. A usual period has none: the links above mark it. */
export function Choices({ visit, filter, tokens }: ChoicesProps) {
  const { language, nowMs } = visit;
  const { filter: texts, states, list } = activityTexts[language];
  const zone = useTimeZone();
  const { state, tokenId, from, to } = filter;
  const { fromMs = 0, toMs = nowMs } = timesOf(filter);
  const shown =
    from === firstOfAll ? list.until(formatDay(toMs - 1, language)) : formatDays(fromMs, toMs - 1, language);
  const days = zone === utc ? shown : `${shown}, UTC`;
  const firstDays = [firstOfAll, ...periods.map((count) => dayOf(firstDayOf(nowMs, count)))];
  const isUsual = to === '' && firstDays.includes(from);
  const token = credentialNames(tokens).get(tokenId) ?? shortId(tokenId);
  const choices = [
    !isUsual && { text: days, without: { from: '', to: '' } },
    state !== undefined && { text: states[state], without: { state: undefined } },
    tokenId !== '' && { text: token, without: { tokenId: '' } },
  ].filter((choice) => choice !== false);
  return (
    <>
      {isUsual && from !== firstOfAll && <span class="muted">{days}</span>}
      {choices.length > 0 && (
        <p class="choices">
          {choices.map(({ text, without }) => (
            <a
              href={accountPath(visit, `/activity${filterQuery({ ...filter, ...without })}`)}
              title={texts.remove}
              aria-label={`${texts.remove}: ${text}`}
            >
              {text}
            </a>
          ))}
        </p>
      )}
    </>
  );
}

interface PeriodsProps {
  readonly visit: Pick<MemberVisit, 'accountId' | 'language' | 'nowMs'>;
  readonly filter: ActivityFilter;
}

/** Links to the usual periods, which keep state and token, and one that clears all choices. */
export function Periods({ visit, filter }: PeriodsProps) {
  const { filter: texts } = activityTexts[visit.language];
  const usual = withPeriod(readFilter(new URLSearchParams()), visit.nowMs);
  const links = [
    ...periods.map((days) => ({
      from: dayOf(firstDayOf(visit.nowMs, days)),
      text: texts.lastDays(String(days)),
    })),
    { from: firstOfAll, text: texts.all },
  ];
  return (
    <>
      <Segments
        label={texts.period}
        links={links.map(({ from, text }) => ({
          href: accountPath(visit, `/activity${filterQuery({ ...filter, from, to: '' })}`),
          text,
          isCurrent: from === filter.from && filter.to === '',
        }))}
      />
      {filterQuery(filter) !== filterQuery(usual) && (
        <a href={accountPath(visit, '/activity')}>{texts.clear}</a>
      )}
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
function FindDeletionForm({ visit, search }: Pick<ToolsProps, 'visit' | 'search'>) {
  const { find: texts } = activityTexts[visit.language];
  return (
    <SearchForm
      action={accountPath(visit, '/activity')}
      name="id"
      label={texts.label}
      placeholder={texts.id}
      value={search?.text ?? ''}
      problem={search?.problem}
      maxLength={100}
      button={texts.find}
    />
  );
}
