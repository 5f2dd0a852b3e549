import type { Session } from '@jobs-delete/accounts/people/sessions';
import type { ComponentChild } from 'preact';
import { accountPath } from '../web/account-path.ts';
import { describeBrowser } from '../web/describe-browser.ts';
import { CsrfField } from '../web/form.tsx';
import type { MemberVisit } from '../web/route.ts';
import { Table } from '../web/table.tsx';
import { Time } from '../web/time.tsx';
import { profileTexts } from './profile-texts.ts';

export interface SessionListProps {
  readonly visit: MemberVisit;
  readonly sessions: readonly Session[];
}

/** Where a person is signed in. */
export function SessionList({ visit, sessions }: SessionListProps) {
  const texts = profileTexts[visit.language];
  return (
    <section class="setting">
      <div>
        <h2 id="sessions">{texts.sessions.title}</h2>
        <p class="muted">{texts.sessions.intro}</p>
      </div>
      <div>
        <Table
          heading="sessions"
          columns={[
            { header: texts.sessions.browser },
            { plain: texts.sessions.network },
            texts.created,
            texts.sessions.lastSeen,
            { aside: texts.action },
          ]}
          rows={sessions.map((session) => cellsOf(visit, session))}
        />
        {sessions.length > 1 && (
          <form method="post" action={accountPath(visit, '/profile/sessions/end-others')} class="inline">
            <CsrfField visit={visit} />
            <button class="danger">{texts.sessions.endOthers}</button>
          </form>
        )}
      </div>
    </section>
  );
}

function cellsOf(visit: MemberVisit, session: Session): readonly ComponentChild[] {
  const { language, nowMs } = visit;
  const texts = profileTexts[language].sessions;
  const browser = describeBrowser(session.userAgent) ?? texts.unknown;
  return [
    <>
      {browser}
      {session.id === visit.session.id && <span class="muted"> ({texts.current})</span>}
    </>,
    session.network ?? '–',
    <Time ms={session.createdAtMs} language={language} nowMs={nowMs} />,
    <Time ms={session.lastSeenAtMs} language={language} nowMs={nowMs} />,
    <form method="post" action={accountPath(visit, '/profile/sessions/end')}>
      <CsrfField visit={visit} />
      <input type="hidden" name="session" value={session.id} />
      <button class="danger" aria-label={`${texts.end}: ${browser}`}>
        {texts.end}
      </button>
    </form>,
  ];
}
