import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../readme/readme.ts';

export const guide = readFileSync(join(root, 'docs/kubernetes.md'), 'utf8');
