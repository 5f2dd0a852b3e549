import type { Services } from '../services.ts';
import type { Route } from '../web/route.ts';
import { KeyList } from './key-list.tsx';
import { keyTexts } from './key-texts.ts';

/** The pages of tokens and secret keys. */
export function keyRoutes({ accounts }: Pick<Services, 'accounts'>): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/keys',
      access: 'viewer',
      serve: async ({ accountId, language, nowMs }) => {
        const [tokens, secretKeys] = await Promise.all([
          accounts.listCredentials('token', accountId),
          accounts.listCredentials('secret-key', accountId),
        ]);
        const texts = keyTexts[language];
        const body = (
          <>
            <p>{texts.intro}</p>
            <KeyList language={language} kind="token" keys={tokens} nowMs={nowMs} />
            <KeyList language={language} kind="secret-key" keys={secretKeys} nowMs={nowMs} />
          </>
        );
        return { kind: 'page', title: texts.title, body };
      },
    },
  ];
}
