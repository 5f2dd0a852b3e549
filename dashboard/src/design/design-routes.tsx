import type { ComponentChildren } from 'preact';
import { activityTexts } from '../activity/activity-texts.ts';
import { DayChart } from '../activity/day-chart.tsx';
import { Life, RequestFacts, StateBadge } from '../activity/deletion-facts.tsx';
import { deletionStates } from '../deleter/deletion.ts';
import { ExpiryWarning } from '../keys/expiry-warning.tsx';
import { KeyList } from '../keys/key-view.tsx';
import { whatNext, WithAside } from '../web/aside.tsx';
import { style } from '../web/assets.ts';
import { Badge, tones, Icon, iconNames, JobIds, ShortId } from '../web/marks.tsx';
import { PlaceLinks } from '../web/places.tsx';
import { Blank, Table, Pager } from '../web/table.tsx';
import { Tabs } from '../web/tabs.tsx';
import { CopyIcon, Copyable, Secret } from '../web/copyable.tsx';
import { type Fact, Facts } from '../web/facts.tsx';
import { OnceField } from '../web/form-once.tsx';
import { Alert, CsrfField, Form, RadioField, SelectField, TextArea, TextField } from '../web/form.tsx';
import { SearchForm, SelectFilter } from '../web/search-form.tsx';
import { Segments } from '../web/segments.tsx';
import type { Language } from '../web/language.ts';
import { menuEntries } from '../web/layout.tsx';
import { noticeTexts } from '../web/notices.ts';
import type { MemberVisit, Reply, Route } from '../web/route.ts';
import { dayMs, Time } from '../web/time.tsx';
import { TypedName } from '../web/typed-name.tsx';
import { chart, choice, choices, deletionIn, keysOf, nowMs, sampleId } from './samples.ts';

/**
 * A page for developers, with every component of `web/` in its states. The headings are in English only; the components
 * have the language of the visit. The frame of the page is `Layout`.
 */
export const designRoutes: readonly Route[] = [
  { method: 'GET', path: '/design', access: 'viewer', serve: designPage },
];

/** Icons that the menu shows already. */
const inMenu: ReadonlySet<string> = new Set(menuEntries);

function designPage(visit: MemberVisit): Reply {
  const { accountId, language } = visit;
  const keys = keysOf(accountId);
  const body = (
    <>
      <Section id="tokens" title="Tokens">
        <Tokens />
      </Section>
      <Section id="text" title="Text">
        <Texts />
      </Section>
      <Section id="buttons" title="Buttons">
        <Buttons />
      </Section>
      <Section id="icons" title="Icons">
        <p class="inline">
          {iconNames
            .filter((name) => !inMenu.has(name))
            .map((name) => (
              <span>
                <Icon name={name} /> {name}
              </span>
            ))}
        </p>
      </Section>
      <Section id="badges" title="Badges">
        <p class="inline">
          {tones.map((tone) => (
            <Badge tone={tone} text={tone} />
          ))}
        </p>
        <p class="inline">
          {deletionStates.map((state) => (
            <StateBadge language={language} state={state} />
          ))}
        </p>
      </Section>
      <Section id="notices" title="Notices and warnings">
        <p class="notice">{noticeTexts[language]['key-revoked']}</p>
        <p class="warning">Something needs attention.</p>
        <ExpiryWarning language={language} keys={keys} nowMs={nowMs} mayChange />
      </Section>
      <Section id="blank" title="Nothing to show">
        <Blank
          icon="activity"
          actions={
            <a class="button" href="#blank">
              The first step
            </a>
          }
        >
          <p>
            <strong>Nothing is here yet.</strong>
          </p>
          <p>What will be here, and how it gets there.</p>
        </Blank>
      </Section>
      <Section id="form" title="Form">
        <WithAside aside={whatNext(language, ['The first step.', 'The second step.'])}>
          <SampleForm visit={visit} />
        </WithAside>
      </Section>
      <Section id="times" title="Times and ids">
        <TimesAndIds language={language} />
      </Section>
      <Section id="copies" title="Texts to copy">
        <Copyable id="command" text="npm start -- --demo-history" button="Copy" language={language} />
        <Secret id="secret" text={`jdt_${'0'.repeat(24)}_…`} button="Copy" language={language} />
        <p>
          <code>{sampleId}</code> <CopyIcon text={sampleId} language={language} />
        </p>
        <JobIds language={language} accountId={accountId} jobIds={['job-1', 'job-2', 'job-3']} />
      </Section>
      <Section id="tabs" title="Tabs">
        <Tabs
          id="tab"
          heading="tabs"
          tabs={['First', 'Second'].map((name) => ({ name, panel: <p>{name} panel</p> }))}
        />
      </Section>
      <Section id="tables" title="Tables">
        <h3 id="compact">Compact</h3>
        <Table
          heading="compact"
          columns={[{ header: 'Header' }, 'Text', { number: 'Number' }, false]}
          rows={[
            { rowsOf: 'Heading of rows' },
            ['First', 'one', '1', 'left out'],
            ['Second', 'two', '12,345', 'left out'],
          ]}
          isCompact
        />
        <h3 id="folding">Folding</h3>
        <KeyList {...{ language, keys, nowMs }} all={keys} mayChange heading="folding" />
      </Section>
      <Section id="pagers" title="Other pages">
        <Pager page={{ items: [], number: 2, count: 3 }} path={visit.url} language={language} />
        <PlaceLinks to={{ first: '#', previous: '#', next: '#' }} texts={activityTexts[language].list} />
      </Section>
      <Section id="facts" title="Facts">
        <RequestFacts {...{ language }} deletion={deletionIn('completed', accountId)} tokenName="Shop" />
      </Section>
      <Section id="timelines" title="Timelines">
        {(['waiting', 'completed', 'cancelled'] as const).map((state) => (
          <Life {...{ language, nowMs }} deletion={deletionIn(state, accountId)} tokenName="Shop" />
        ))}
      </Section>
      <Segments
        label="Period"
        links={[
          { href: '#', text: '7 days', isCurrent: true },
          { href: '#', text: '30 days', isCurrent: false },
        ]}
      />
      <SearchForm action="" name="find" label="Find" placeholder="Words" button="Find" />
      <SelectFilter action="" button="Filter" clear="Clear filters" fields={[choice]} />
      <DayChart language={language} chart={chart} hrefOf={() => visit.url} />
    </>
  );
  return { kind: 'page', title: 'Design', body };
}

interface SectionProps {
  readonly id: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

function Section({ id, title, children }: SectionProps) {
  return (
    <section>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** The custom properties of the style. The content security policy allows no `style`, but the attributes of SVG. */
function Tokens() {
  const [light = [], dark = []] = [...style.content.toString().matchAll(/:root\{([^}]*)\}/g)].map(
    ([, block = '']) => [...block.matchAll(/(--[\w-]+):([^;]+)/g)].map(([, ...token]) => token),
  );
  const inDark = new Map(dark.map(([name = '', value = '']) => [name, value]));
  return (
    <Table
      heading="tokens"
      columns={[{ header: 'Name' }, 'Light', 'Dark', 'Sample']}
      rows={light.map(([name = '', value = '']) => [
        <code>{name}</code>,
        value,
        inDark.get(name) ?? '',
        <Sample name={name} value={value} />,
      ])}
    />
  );
}

function Sample({ name, value }: { readonly name: string; readonly value: string }) {
  const isColor = value.startsWith('#');
  if (!isColor && !/^[\d.]+(?:px|rem)$/.test(value)) return <>–</>;
  const fill = `var(${isColor ? name : '--accent'})`;
  // Browsers know `var` in colors, and not all of them in lengths.
  const shape = name === '--space' ? { width: value } : { width: 47, rx: isColor ? 4 : value };
  return (
    <svg width="48" height="24" aria-hidden="true">
      <rect x="0.5" y="0.5" height="23" stroke="var(--edge)" fill={fill} {...shape} />
    </svg>
  );
}

function Texts() {
  return (
    <>
      <h3>A smaller heading</h3>
      <p>
        A paragraph with <strong>strong words</strong>, <code>code</code> and <a href="#text">a link</a>.
      </p>
      <p class="muted">A muted paragraph.</p>
      <pre>{'Text as it is.\nIt keeps its lines.'}</pre>
    </>
  );
}

function Buttons() {
  return (
    <p class="inline">
      <button type="button">Button</button>
      <button type="button" class="quiet">
        Quiet
      </button>
      <button type="button" class="danger">
        Dangerous
      </button>
      <button type="button" class="danger quiet">
        Leads to a danger
      </button>
      <button type="button" disabled>
        Disabled
      </button>
      <a class="button" href="#buttons">
        Link
      </a>
      <button type="button" class="quiet">
        <Icon name="menu" /> With an icon
      </button>
    </p>
  );
}

/** Nothing sends it: it has no button that submits. */
function SampleForm({ visit }: { readonly visit: MemberVisit }) {
  return (
    <Form method="post">
      <CsrfField visit={visit} />
      <OnceField once="" />
      <Alert problem="Why the form was refused." />
      <TextField name="empty" label="Text" hint="A hint is read with the field." required />
      <TextField name="wrong" label="Wrong text" hint="A hint." problem="Why it was refused." value="Acme" />
      <TextField name="until" label="Date" type="date" value="2026-01-15" />
      <TypedName language={visit.language} label="Name" name="Shop" typed="Acme" />
      <SelectField name="no" label="Wrong choice" options={choices} value="First" problem="Refused." />
      <RadioField name="radio" label="Choice in view" options={choices} value="Second" />
      <RadioField name="none" label="Wrong" options={choices} value="First" problem="Refused." />
      <TextArea name="ids" label="Lines" problem="Wrong." value="" rows={3} remedy={<button>Mend</button>} />
      <p>
        <label>
          <input type="checkbox" checked /> A confirmation
        </label>
      </p>
      <p class="actions">
        <button type="button">Send</button>
        <a href="#form">Back</a>
      </p>
    </Form>
  );
}

function TimesAndIds({ language }: { readonly language: Language }) {
  const ages = [-90 * dayMs, -5 * 60_000, 2 * dayMs];
  return (
    <Facts
      facts={[
        ['Time', <Time ms={nowMs} language={language} />],
        ['With seconds', <Time ms={nowMs} language={language} withSeconds />],
        ...ages.map((ms): Fact => ['Distance', <Time ms={nowMs + ms} language={language} nowMs={nowMs} />]),
        ...[sampleId, 'job-1', ''].map((id): Fact => ['Short id', <ShortId id={id} />]),
      ]}
    />
  );
}
