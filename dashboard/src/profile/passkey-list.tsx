import { CsrfField } from '../web/form.tsx';
import type { MemberVisit } from '../web/route.ts';
import { Time } from '../web/time.tsx';
import { profileTexts } from './profile-texts.ts';

/** The passkeys of a person. */
export function PasskeyList({
  visit,
  mayChange,
}: {
  readonly visit: MemberVisit;
  readonly mayChange: boolean;
}) {
  const { language, person } = visit;
  const texts = profileTexts[language];
  return (
    <div class="scroll" tabindex={0} role="region" aria-labelledby="passkeys">
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.name}</th>
            <th scope="col">{texts.created}</th>
            <th scope="col">{texts.lastUsed}</th>
            {mayChange && <th scope="col">{texts.action}</th>}
          </tr>
        </thead>
        <tbody>
          {person.passkeys.map(({ id, name, createdAtMs, lastUsedAtMs }) => (
            <tr>
              <th scope="row">{name}</th>
              <td>
                <Time ms={createdAtMs} language={language} />
              </td>
              <td>
                {lastUsedAtMs === undefined ? texts.never : <Time ms={lastUsedAtMs} language={language} />}
              </td>
              {mayChange && (
                <td>
                  <form method="post" action="/profile/passkeys/remove">
                    <CsrfField visit={visit} />
                    <input type="hidden" name="passkey" value={id} />
                    <button class="danger" aria-label={`${texts.remove}: ${name}`}>
                      {texts.remove}
                    </button>
                  </form>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
