import type { ComponentChild } from 'preact';
import { script, style } from './assets.ts';
import { CsrfField } from './form.tsx';
import { languages, type Language } from './language.ts';
import { layoutTexts } from './layout-texts.ts';
import { noticeTexts, type Notice } from './notices.ts';
import type { MemberVisit, Visit } from './route.ts';
import { includesRole } from './route.ts';

export interface LayoutProps {
  readonly visit: Visit;
  /** Undefined on pages outside an account. */
  readonly member: Pick<MemberVisit, 'accountId' | 'role' | 'person' | 'email' | 'isDisabled'> | undefined;
  readonly title: string;
  readonly notice: Notice | undefined;
  readonly children: ComponentChild;
}

const languageNames: Readonly<Record<Language, string>> = { en: 'English', fr: 'Français', es: 'Español' };

/** The frame of every page. */
export function Layout({ visit, member, title, notice, children }: LayoutProps) {
  const texts = layoutTexts[visit.language];
  return (
    <html lang={visit.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · ${texts.product}`}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={style.path} />
        <script src={script.path} type="module" />
      </head>
      <body>
        <a class="skip" href="#content">
          {texts.skip}
        </a>
        <header class="top">
          <a class="product" href="/">
            {texts.product}
          </a>
          {member && <AccountMenu visit={visit} member={member} />}
        </header>
        {member && !member.isDisabled && <MainMenu visit={visit} member={member} />}
        <main id="content" tabindex={-1}>
          {notice && (
            <p class="notice" role="status">
              {noticeTexts[visit.language][notice]}
            </p>
          )}
          <h1>{title}</h1>
          {children}
        </main>
        <footer>
          <form method="post" action="/language" class="inline">
            <CsrfField visit={visit} />
            <input type="hidden" name="next" value={visit.url} />
            <label>
              {texts.language}
              <select name="language">
                {languages.map((language) => (
                  <option value={language} lang={language} selected={language === visit.language}>
                    {languageNames[language]}
                  </option>
                ))}
              </select>
            </label>
            <button class="quiet">{texts.change}</button>
          </form>
        </footer>
      </body>
    </html>
  );
}

type MenuProps = Pick<LayoutProps, 'visit'> & { readonly member: NonNullable<LayoutProps['member']> };

function MainMenu({ visit, member }: MenuProps) {
  const texts = layoutTexts[visit.language];
  const entries = [
    { path: '/keys', text: texts.keys },
    { path: '/domains', text: texts.domains },
    { path: '/activity', text: texts.activity },
    { path: '/safety', text: texts.safety },
    { path: '/sandbox', text: texts.sandbox },
    ...(includesRole(member.role, 'owner') ? [{ path: '/people', text: texts.people }] : []),
    { path: '/trail', text: texts.trail },
  ];
  return (
    <nav aria-label={texts.menu}>
      <ul>
        {entries.map(({ path, text }) => (
          <li>
            <a href={path} aria-current={isBelow(visit.url, path) ? 'page' : undefined}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function isBelow(url: string, path: string): boolean {
  return url === path || url.startsWith(`${path}/`) || url.startsWith(`${path}?`);
}

function AccountMenu({ visit, member }: MenuProps) {
  const texts = layoutTexts[visit.language];
  const { memberships } = member.person;
  return (
    <div class="account">
      {memberships.length === 1 ? (
        <span>
          {texts.account} <strong>{member.accountId}</strong>
        </span>
      ) : (
        <form method="post" action="/account" class="inline">
          <CsrfField visit={visit} />
          <label>
            {texts.account}
            <select name="account">
              {memberships.map(({ accountId }) => (
                <option value={accountId} selected={accountId === member.accountId}>
                  {accountId}
                </option>
              ))}
            </select>
          </label>
          <button class="quiet">{texts.change}</button>
        </form>
      )}
      {member.isDisabled ? <span>{member.email}</span> : <a href="/profile">{member.email}</a>}
      <form method="post" action="/sign-out" class="inline">
        <CsrfField visit={visit} />
        <button class="quiet">{texts.signOut}</button>
      </form>
    </div>
  );
}
