import { CsrfField } from '../web/form.tsx';
import type { MemberVisit } from '../web/route.ts';
import { Table } from '../web/table.tsx';
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
    <Table
      heading="passkeys"
      columns={[texts.name, texts.created, texts.lastUsed, mayChange && texts.action]}
    >
      {person.passkeys.map(({ id, name, createdAtMs, lastUsedAtMs }) => (
        <tr>
          <th scope="row">{name}</th>
          <td>
            <Time ms={createdAtMs} language={language} />
          </td>
          <td>{lastUsedAtMs === undefined ? texts.never : <Time ms={lastUsedAtMs} language={language} />}</td>
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
    </Table>
  );
}
