import type { Allowance } from '../deleter/account-safety.ts';
import { accountPath } from '../web/account-path.ts';
import { includesRole, type MemberVisit } from '../web/route.ts';
import { Time } from '../web/time.tsx';
import { safetyTexts } from './safety-texts.ts';

interface OpenAllowanceProps {
  readonly visit: Pick<MemberVisit, 'accountId' | 'language' | 'role'>;
  readonly allowance: Allowance;
}

/** The jobs that an allowance adds to the limit, until when, and the way to end it. */
export function OpenAllowance({ visit, allowance: { id, jobs, untilMs } }: OpenAllowanceProps) {
  const { language, role } = visit;
  const { limit: texts } = safetyTexts[language];
  return (
    <>
      {texts.allowed(new Intl.NumberFormat(language).format(jobs))} <Time ms={untilMs} language={language} />
      {includesRole(role, 'manager') && (
        <>
          {' '}
          <a href={accountPath(visit, `/safety/allow/${encodeURIComponent(id)}/end`)}>{texts.endNow}</a>
        </>
      )}
    </>
  );
}
