import { fileURLToPath } from 'node:url';

// Seen from dist/bench, where this is run.
export const benchFolder = fileURLToPath(new URL('../../', import.meta.url));
export const rootFolder = fileURLToPath(new URL('../../../../', import.meta.url));
export const builtFolder = fileURLToPath(new URL('./', import.meta.url));
