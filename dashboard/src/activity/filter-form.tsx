import type { Credential } from '@jobs-delete/accounts/accounts';
import type { ComponentChildren } from 'preact';
import { deletionStates } from '../deleter/deletion.ts';
import { accountPath } from '../web/account-path.ts';
import { SelectField, TextField } from '../web/form.tsx';
import type { MemberVisit } from '../web/route.ts';
import { shortId } from '../web/short-id.tsx';
import { type ActivityFilter, type FilterProblems, isFiltered } from './activity-filter.ts';
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
    <Folded heading={texts.heading} isOpen={isFiltered(filter)} visit={visit}>
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
      <input type="hidden" name="days" value={filter.days} />
      <button>{texts.apply}</button>
    </Folded>
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
