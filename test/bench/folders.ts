import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// This compiled file is in test/dist/bench.
export const builtFolder = fileURLToPath(new URL('./', import.meta.url));
export const rootFolder = fileURLToPath(new URL('../../../', import.meta.url));
export const benchFolder = join(rootFolder, 'test/bench');
