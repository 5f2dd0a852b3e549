import type { ComponentChild } from 'preact';
import { peopleTexts } from '../people/people-texts.ts';
import { LanguageForm, languageNames } from '../profile/settings-forms.tsx';
import { AccountName, accountText } from './account-name.tsx';
import { accountPath, jobListPath, readJobList } from './account-path.ts';
import { font, logo, script, style } from './assets.ts';
import { docsUrl } from './docs-url.ts';
import { CsrfField, Form } from './form.tsx';
import type { Language } from './language.ts';
import { Icon, type IconName } from './marks.tsx';
import { layoutTexts } from './layout-texts.ts';
import { noticeTexts } from './notices.ts';
import type { SignedIn, Visit } from './route.ts';

interface LayoutProps {
  readonly visit: Visit;
  readonly title: string;
  /** The address of the API without a final slash. */
  readonly apiUrl: string;
  readonly action: ComponentChild;
  /** Takes the place of the text of the notice. */
  readonly notice: ComponentChild;
  /** What the notice is about. */
  readonly noticeSubject: ComponentChild;
  /** The answer to a refused form, whose page has the same address. */
  readonly isRefused: boolean;
  readonly children: ComponentChild;
}

const product = 'jobs-delete';

/** Names the subject at the end of the first sentence. */
function withSubject(text: string, subject: ComponentChild, language: Language): ComponentChild {
  if (!subject) return text;
  const [first, ...others] = text.split('. ');
  return (
    <>
      {first?.replace(/\.$/, '')}
      {language === 'fr' ? '\u202f: ' : ': '}
      <strong>{subject}</strong>
      {'. '}
      {others.join('. ')}
    </>
  );
}

/** The frame of every page. */
export function Layout(props: LayoutProps) {
  const { visit, title, apiUrl, action, notice, noticeSubject, isRefused, children } = props;
  const { signedIn: member, notice: shown } = visit;
  const texts = layoutTexts[visit.language];
  const hasMenu = member !== undefined && !member.isDisabled;
  return (
    <html lang={visit.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · ${product}`}</title>
        <link rel="icon" type="image/svg+xml" href={logo.path} />
        <link rel="preload" as="font" type="font/woff2" href={font.path} crossorigin="anonymous" />
        <link rel="stylesheet" href={style.path} />
        <script src={script.path} type="module" />
      </head>
      <body class={hasMenu ? 'framed' : 'single'}>
        <a class="skip" href="#content">
          {texts.skip}
        </a>
        <div class="side">
          <header class="top">
            <a class="product" href={hasMenu ? accountPath(member, '/overview') : '/'}>
              <img src={logo.path} alt="" width="28" height="28" />
              <span>{product}</span>
            </a>
            {member && <AccountMenu visit={visit} member={member} />}
            {hasMenu && (
              <button type="button" class="quiet open-menu" popovertarget="menu">
                <Icon name="menu" />
                {texts.openMenu}
              </button>
            )}
          </header>
          {hasMenu && <MainMenu visit={visit} member={member} />}
        </div>
        <main id="content" tabindex={-1} data-refused={isRefused ? '' : undefined}>
          {shown && (
            <p class="notice" role="status">
              {notice ?? withSubject(noticeTexts[visit.language][shown.name], noticeSubject, visit.language)}
            </p>
          )}
          {hasMenu && <WayBack visit={visit} member={member} title={title} />}
          <div class="heading">
            <h1>{title}</h1>
            {action}
          </div>
          {children}
        </main>
        <footer>
          <a href={docsUrl({ apiUrl, language: visit.language })}>{texts.docs}</a>
          {hasMenu ? (
            <a href={accountPath(member, '/profile#settings')}>
              {languageNames[visit.language]} · {texts.times} {visit.zone}
            </a>
          ) : (
            <LanguageForm visit={visit} />
          )}
        </footer>
      </body>
    </html>
  );
}

type MenuProps = Pick<LayoutProps, 'visit'> & { readonly member: SignedIn };

/** Each entry is a path, an icon and a text. */
export const menuEntries = [
  'overview',
  'keys',
  'domains',
  'jobs',
  'activity',
  'safety',
  'sandbox',
  'people',
  'trail',
] as const satisfies readonly IconName[];

/**
 * A link back to the page of the menu, on pages below it and on that of a job, which leads to the list that it came from. None
 * where a refused form or a search shows the page itself.
 */
function WayBack({ visit, member, title }: MenuProps & Pick<LayoutProps, 'title'>) {
  const path = visit.url.replace(/\?.*/, '');
  const below = sectionAbove(path, member);
  const isJob = path === accountPath(member, '/jobs') && visit.query.get('job')?.trim();
  const entry = isJob ? 'jobs' : below;
  if (entry === undefined || layoutTexts[visit.language][entry] === title) return null;
  const list = visit.query.has('job') ? readJobList(visit.query) : {};
  return (
    <p class="back">
      <a href={isJob ? jobListPath(member, list) : accountPath(member, `/${entry}`)}>
        {layoutTexts[visit.language][entry]}
      </a>
    </p>
  );
}

/** Returns the page of the menu that an address of the account is below. */
export function sectionAbove(url: string, member: Pick<SignedIn, 'accountId'>) {
  return menuEntries.find((each) => url.startsWith(`${accountPath(member, `/${each}`)}/`));
}

/** The button at the top opens this menu on a narrow screen. */
function MainMenu({ visit, member }: MenuProps) {
  const texts = layoutTexts[visit.language];
  return (
    <nav id="menu" popover="auto" aria-label={texts.menu}>
      <ul>
        {menuEntries.map((entry) => (
          <li>
            <a
              href={accountPath(member, `/${entry}`)}
              aria-current={isBelow(visit.url, accountPath(member, `/${entry}`)) ? 'page' : undefined}
            >
              <Icon name={entry} />
              {texts[entry]}
            </a>
          </li>
        ))}
      </ul>
      <Person visit={visit} member={member} />
    </nav>
  );
}

function isBelow(url: string, path: string): boolean {
  return url === path || url.startsWith(`${path}/`) || url.startsWith(`${path}?`);
}

function AccountMenu({ visit, member }: MenuProps) {
  const texts = layoutTexts[visit.language];
  return (
    <div class="account">
      {member.ownAccounts.length === 1 ? (
        <span class="one-line" title={accountText(member.account)}>
          {texts.account} <AccountName account={member.account} />
        </span>
      ) : (
        <AccountSwitcher visit={visit} member={member} />
      )}
      {member.isDisabled && <Person visit={visit} member={member} />}
    </div>
  );
}

/** A button that opens the list of accounts. An older browser shows the list alone. */
function AccountSwitcher({ visit, member }: MenuProps) {
  const texts = layoutTexts[visit.language];
  return (
    <>
      <button
        type="button"
        class="quiet open-accounts"
        popovertarget="accounts"
        aria-label={`${texts.account} ${accountText(member.account)}`}
      >
        <span class="one-line">{member.account.name ?? member.account.id}</span>
        <Icon name="accounts" />
      </button>
      <Form method="post" action="/account" id="accounts" popover="auto" aria-label={texts.accounts}>
        <CsrfField visit={visit} />
        {member.ownAccounts.map((account) => (
          <button
            name="account"
            value={account.id}
            aria-current={account.id === member.accountId ? 'true' : undefined}
            title={accountText(account)}
          >
            <span class="one-line">
              <AccountName account={account} />
            </span>
            {account.id === member.accountId && <Icon name="current" />}
          </button>
        ))}
      </Form>
    </>
  );
}

/** Who is signed in, with which role, and the way out. */
function Person({ visit, member }: MenuProps) {
  const texts = layoutTexts[visit.language];
  const { email, role, isDisabled } = member;
  return (
    <div class="person">
      {isDisabled ? (
        <span class="one-line">{email}</span>
      ) : (
        <a
          href={accountPath(member, '/profile')}
          title={email}
          aria-current={isBelow(visit.url, accountPath(member, '/profile')) ? 'page' : undefined}
        >
          <Icon name="profile" />
          <span class="one-line">
            {email}
            <span class="role">{peopleTexts[visit.language].roles[role]}</span>
          </span>
        </a>
      )}
      <Form method="post" action="/sign-out" class="inline">
        <CsrfField visit={visit} />
        <button class="quiet">
          <Icon name="signOut" />
          {texts.signOut}
        </button>
      </Form>
    </div>
  );
}
