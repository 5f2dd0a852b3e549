import { accountPath } from './account-path.ts';
import { layoutTexts } from './layout-texts.ts';
import type { RefusalCode } from './refusal.ts';
import type { Reply, Visit } from './route.ts';

/** A page that says why there is no other. */
export function problemPage(
  { language, signedIn }: Pick<Visit, 'language' | 'signedIn'>,
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
  const texts = layoutTexts[language];
  const { title, text } = texts[problem];
  const body = (
    <>
      <p>{text}</p>
      {/* The start page of a disabled account is this one. */}
      {problem !== 'disabled' && (
        <p>
          <a class="button" href={signedIn === undefined ? '/' : accountPath(signedIn, '/overview')}>
            {texts.start}
          </a>
        </p>
      )}
    </>
  );
  return { kind: 'page', status, title, body, refusal: refusal && { code: refusal } };
}
