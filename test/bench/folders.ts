import { fileURLToPath } from 'node:url';

// The compiled file is in dist/bench.
export const benchFolder = fileURLToPath(new URL('../../', import.meta.url));
export const rootFolder = fileURLToPath(new URL('../../../../', import.meta.url));
export const builtFolder = fileURLToPath(new URL('./', import.meta.url));
