import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);

/** Reads an icon of Heroicons: an SVG without a size, in the color of the text. */
function read(name: string): string {
  return readFileSync(resolve(`heroicons/${name}.svg`), 'utf8').replaceAll(/\s*\n\s*/g, '');
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
