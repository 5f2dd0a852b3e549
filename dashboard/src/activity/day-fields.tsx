import { TextField } from '../web/form.tsx';
import type { Language } from '../web/language.ts';
import { useTimeZone, utc } from '../web/time.tsx';
import type { DayProblems, DayRange } from './activity-filter.ts';
import { activityTexts } from './activity-texts.ts';

interface DayFieldsProps {
  readonly language: Language;
  readonly range: DayRange;
  readonly problems: DayProblems;
}

/** The first and the last day of a filter, in UTC. */
export function DayFields({ language, range, problems }: DayFieldsProps) {
  const { filter: texts } = activityTexts[language];
  const isOtherZone = useTimeZone() !== utc;
  return (
    <div class="range">
      {(['from', 'to'] as const).map((name) => {
        const problem = problems[name];
        return (
          <TextField
            name={name}
            label={isOtherZone ? `${texts[name]} (${utc})` : texts[name]}
            type="date"
            value={range[name]}
            problem={problem && texts.problems[problem]}
          />
        );
      })}
    </div>
  );
}
