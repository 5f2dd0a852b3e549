import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { JobTitles } from '../deleter/deleter-calls.ts';
import { jobPath } from './account-path.ts';
import type { Language } from './language.ts';
import { layoutTexts } from './layout-texts.ts';

const { resolve } = createRequire(import.meta.url);

/** Reads an icon of Heroicons: the SVG with its shape only. The style sets its size and its lines. */
function read(name: string): string {
  const file = readFileSync(resolve(`heroicons/${name}.svg`), 'utf8');
  return file.replaceAll(/\s*\n\s*| (?:xmlns|fill|stroke[\w-]*|aria-hidden|data-slot)="[^"]*"/g, '');
}

const icons = {
  overview: read('24/outline/home'),
  keys: read('24/outline/key'),
  domains: read('24/outline/globe-alt'),
  jobs: read('24/outline/briefcase'),
  activity: read('24/outline/chart-bar'),
  safety: read('24/outline/shield-check'),
  sandbox: read('24/outline/beaker'),
  people: read('24/outline/users'),
  trail: read('24/outline/clipboard-document-list'),
  menu: read('24/outline/bars-3'),
  accounts: read('24/outline/chevron-up-down'),
  current: read('24/outline/check'),
  profile: read('24/outline/user-circle'),
  problem: read('24/outline/exclamation-triangle'),
  signOut: read('24/outline/arrow-right-start-on-rectangle'),
};

export type IconName = keyof typeof icons;
export const iconNames = Object.keys(icons) as readonly IconName[];

/** A decoration. The text beside it has the meaning. */
export function Icon({ name }: { readonly name: IconName }) {
  return <span class="icon" aria-hidden="true" dangerouslySetInnerHTML={{ __html: icons[name] }} />;
}

/** The meaning of a state. The style gives each a color and a shape. */
export type Tone = (typeof tones)[number];
export const tones = ['good', 'pending', 'attention', 'ended', 'neutral'] as const;

interface BadgeProps {
  readonly tone: Tone;
  readonly text: string;
}

/** A state in a row or among facts. */
export function Badge({ tone, text }: BadgeProps) {
  return <span class={`badge ${tone}`}>{text}</span>;
}

/** An id in a list, with the whole id as its title. */
export function ShortId({ id }: { readonly id: string }) {
  if (id === '') return <>–</>;
  return <code title={id}>{shortId(id)}</code>;
}

/**
 * Returns the begin and the end of an id. The end tells ids apart that begin with the time of their creation, such as
 * Deletion-Ids of the same minute.
 */
export function shortId(id: string): string {
  return id.length <= 16 ? id : `${id.slice(0, 8)}…${id.slice(-4)}`;
}

interface JobIdsProps {
  readonly language: Language;
  readonly accountId: string;
  readonly jobIds: readonly string[];
  readonly titles?: JobTitles;
}

/** How many ids are in view at first. Paper has all. */
const inView = 50;

/** Ids that lead to what became of each job. */
export function JobIds({ language, accountId, jobIds, titles = new Map() }: JobIdsProps) {
  const more = jobIds.length - inView;
  const listOf = (ids: readonly string[]) => (
    <ul class={titles.size > 0 ? 'ids titled' : 'ids'}>
      {ids.map((jobId) => (
        <li>
          <a href={jobPath({ accountId }, jobId)}>
            <JobName id={jobId} titles={titles} />
          </a>
        </li>
      ))}
    </ul>
  );
  return (
    <div class="card listing">
      {listOf(jobIds.slice(0, inView))}
      {more > 0 && (
        <details class="others">
          <summary>{layoutTexts[language].showMore(new Intl.NumberFormat(language).format(more))}</summary>
          {listOf(jobIds.slice(inView))}
        </details>
      )}
    </div>
  );
}

/** The id of a job, with its title if it is known. */
export function JobName({ id, titles }: { readonly id: string; readonly titles: JobTitles }) {
  const title = titles.get(id);
  return (
    <>
      <code>{id}</code>
      {title !== undefined && (
        <>
          {' '}
          <bdi class="muted" title={title}>
            {title}
          </bdi>
        </>
      )}
    </>
  );
}
