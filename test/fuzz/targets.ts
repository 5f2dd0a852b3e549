import type { Target } from './fuzz.ts';
import { credentials } from './targets/credentials.ts';
import { dashboardPath } from './targets/dashboard-path.ts';
import { passkeyResponse, ticket } from './targets/dashboard-secrets.ts';
import { deletionEvent } from './targets/deletion-event.ts';
import { importTargets } from './targets/import-files.ts';
import { jsonBody } from './targets/json-body.ts';
import { origin } from './targets/origin.ts';
import { query } from './targets/query.ts';
import { remoteAddress } from './targets/remote-address.ts';
import { requestHeaders } from './targets/request-headers.ts';
import { xmlBody } from './targets/xml-body.ts';

export const targets: readonly Target[] = [
  ...[jsonBody, xmlBody, requestHeaders, credentials, origin, query, remoteAddress],
  ...[dashboardPath, ticket, passkeyResponse, deletionEvent],
  ...importTargets,
];
