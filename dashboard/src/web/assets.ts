import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** A file that pages load. Its address changes with its content, so browsers may keep it forever. */
interface Asset {
  /** Its ending decides the media type. */
  readonly path: string;
  readonly content: Buffer;
}

const folder = new URL('../../public/', import.meta.url);

/** Leaves out indentation and the lines of comments: they are a third of a script. */
function readScript(name: string): Asset {
  const text = readFileSync(new URL(name, folder), 'utf8');
  if (/`[^`\n]*\n[^`]*`/.test(text.replaceAll(/^\s*\/\/.*/gm, '').replaceAll(/`[^`\n]*`/g, '')))
    throw new Error(`${name} has a text of several lines, which would lose its indentation`);
  return assetOf(name, Buffer.from(text.replaceAll(/^\s*(\/\/.*)?\n/gm, '').replaceAll(/^ +/gm, '')));
}

function assetOf(name: string, content: Buffer): Asset {
  const version = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return { path: `/assets/${version}/${name}`, content };
}

const { resolve } = createRequire(import.meta.url);
/** The font of all texts: the Latin letters, in every weight. */
export const font = assetOf(
  'inter.woff2',
  readFileSync(resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')),
);
/** Names the font by its address. Has neither comments nor the space that only people read: they are a quarter of the file. */
export const style = assetOf(
  'dashboard.css',
  Buffer.from(
    readFileSync(new URL('dashboard.css', folder), 'utf8')
      .replace('inter.woff2', font.path)
      .replaceAll(/\/\*.*?\*\//gs, '')
      .replaceAll(/\s*\n\s*/g, ' ')
      .replaceAll(/([{};,:]) /g, '$1')
      .replaceAll(' {', '{')
      .replaceAll(/ ?([>~]) /g, '$1')
      .replaceAll(/(?<=[ :(,-])0(?=\.)/g, '')
      .replaceAll(';}', '}'),
  ),
);
export const script = readScript('dashboard.js');
/** Only for forms that delete jobs. */
export const jobsFormScript = readScript('jobs-form.js');
export const logo = assetOf('logo.svg', readFileSync(new URL('logo.svg', folder)));
/** Only for pages with a form that needs it: see sign-in/forms.tsx. */
export const signInScript = readScript('sign-in.js');
export const assets: readonly Asset[] = [font, style, script, jobsFormScript, logo, signInScript];
