import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A file that pages load. Its address changes with its content, so browsers may keep it forever. */
export interface Asset {
  /** Its ending decides the media type. */
  readonly path: string;
  readonly content: Buffer;
}

const folder = new URL('../../public/', import.meta.url);

function readAsset(name: string): Asset {
  const content = readFileSync(new URL(name, folder));
  const version = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return { path: `/assets/${version}/${name}`, content };
}

export const style = readAsset('dashboard.css');
export const script = readAsset('dashboard.js');
export const logo = readAsset('logo.svg');
/** Only for pages with a form that needs it: see sign-in/forms.tsx. */
export const signInScript = readAsset('sign-in.js');
export const assets: readonly Asset[] = [style, script, logo, signInScript];
