import type { Target } from './fuzz.ts';
import { deletionEvent } from './targets/deletion-event.ts';
import { jsonBody } from './targets/json-body.ts';
import { xmlBody } from './targets/xml-body.ts';

export const targets: readonly Target[] = [jsonBody, xmlBody, deletionEvent];
