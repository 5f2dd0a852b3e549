import type { DeletionState } from '../deleter/deletion.ts';
import { Badge, type Tone } from '../web/marks.tsx';
import type { Language } from '../web/language.ts';
import { activityTexts } from './activity-texts.ts';

const tones: Readonly<Record<DeletionState, Tone>> = {
  waiting: 'attention',
  accepted: 'pending',
  published: 'pending',
  completed: 'good',
  cancelled: 'ended',
};

export function StateBadge({
  language,
  state,
}: {
  readonly language: Language;
  readonly state: DeletionState;
}) {
  return <Badge tone={tones[state]} text={activityTexts[language].states[state]} />;
}
