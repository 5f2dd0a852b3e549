import { sentence, type Sentence } from '../../messages/sentences.ts';
import { visible } from '../answer/echo.ts';
import type { Detail } from '../answer/refusal.ts';
import { aNumber } from './read-json-jobs.ts';

/** Explains why a value is not a job id. */
export function explainJobId(id: unknown): Detail {
  if (id === undefined) return [sentence('id_absent')];
  if (id === null) return [sentence('id_null')];
  if (id === '') return [sentence('id_empty')];
  if (id === aNumber) return [sentence('id_is_number')];
  if (typeof id !== 'string') return [sentence('id_not_a_string')];
  return [explainText(id)];
}

function explainText(id: string): Sentence {
  const wrong = /[^A-Za-z0-9]/u.exec(id);
  if (wrong === null) return sentence('id_length', { count: id.length });
  const [character] = wrong;
  const position = wrong.index + 1;
  return /\s/.test(character)
    ? sentence('id_white_space', { position })
    : sentence('id_character', { found: visible(character), position });
}
