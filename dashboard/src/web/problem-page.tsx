import { layoutTexts } from './layout-texts.ts';
import type { RefusalCode } from './refusal.ts';
import type { Reply, Visit } from './route.ts';

/** A page that says why there is no other. */
export function problemPage(
  { language }: Pick<Visit, 'language'>,
  status: number,
  problem:
    | 'notFound'
    | 'forbidden'
    | 'expiredForm'
    | 'badRequest'
    | 'unavailable'
    | 'failure'
    | 'disabled'
    | 'tooMany',
  refusal?: RefusalCode,
): Reply {
  const { title, text } = layoutTexts[language][problem];
  return { kind: 'page', status, title, body: <p>{text}</p>, refusal: refusal && { code: refusal } };
}
