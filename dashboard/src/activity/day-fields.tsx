import { TextField } from '../web/form.tsx';
import type { Language } from '../web/language.ts';
import type { DayRange, FilterProblems } from './activity-filter.ts';
import { activityTexts } from './activity-texts.ts';

interface DayFieldsProps {
  readonly language: Language;
  readonly range: DayRange;
  readonly problems: FilterProblems;
}

/** The first and the last day of a filter. */
export function DayFields({ language, range, problems }: DayFieldsProps) {
  const { filter: texts } = activityTexts[language];
  return (
    <div class="range">
      {(['from', 'to'] as const).map((name) => {
        const problem = problems[name];
        return (
          <TextField
            name={name}
            label={texts[name]}
            type="date"
            value={range[name]}
            problem={problem && texts.problems[problem]}
          />
        );
      })}
    </div>
  );
}
