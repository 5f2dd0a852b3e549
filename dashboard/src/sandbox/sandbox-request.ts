export const formats = ['json', 'xml'] as const;
export type Format = (typeof formats)[number];

/** The fields of the form. */
export interface SandboxFields {
  readonly token: string;
  readonly secretKey: string;
  readonly origin: string;
  readonly acceptLanguage: string;
  readonly userAgent: string;
  readonly clientLang: string;
  readonly format: Format;
  /** As typed. */
  readonly ids: string;
}

/** A request to the sandbox of the API. */
export interface SandboxRequest {
  /** Below the address of the API. */
  readonly path: string;
  /** In the order of the checklist. An empty field sends no header. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The names of the text fields in the form, with the headers that they become. */
const headerFields = {
  token: 'Authorization',
  secretKey: 'Usersecretkey',
  origin: 'Origin',
  acceptLanguage: 'Accept-Language',
  userAgent: 'User-Agent',
  clientLang: 'X-Client-Lang',
} as const;
type HeaderField = keyof typeof headerFields;

type FieldProblem = 'control-characters' | 'too-many-ids' | 'no-token' | 'no-secret-key';
export type FieldProblems = Readonly<Partial<Record<HeaderField | 'ids', FieldProblem>>>;

/** A page with the answer for more ids would be too large. */
export const maxIds = 50;

export function readFields(form: URLSearchParams): SandboxFields {
  const field = (name: string) => form.get(name) ?? '';
  return {
    token: field('token'),
    secretKey: field('secretKey'),
    origin: field('origin'),
    acceptLanguage: field('acceptLanguage'),
    userAgent: field('userAgent'),
    clientLang: field('clientLang'),
    format: formats.find((format) => format === form.get('format')) ?? 'json',
    ids: field('ids'),
  };
}

/** The form that names missing credentials has them in this field: sent again, it is a test without those. */
export const withoutField = 'without';

/** Returns which credential is missing: most people have forgotten it. */
export function missingIn({ token, secretKey }: SandboxFields): FieldProblems {
  return {
    ...(token === '' && { token: 'no-token' }),
    ...(secretKey === '' && { secretKey: 'no-secret-key' }),
  };
}

/** Returns why the form cannot be sent. The API itself judges every value that HTTP can carry. */
export function problemsOf(fields: SandboxFields): FieldProblems {
  const problems: Partial<Record<HeaderField | 'ids', FieldProblem>> = {};
  for (const name of Object.keys(headerFields) as HeaderField[])
    if (/\p{Cc}/u.test(fields[name])) problems[name] = 'control-characters';
  if (idsOf(fields).length > maxIds) problems.ids = 'too-many-ids';
  return problems;
}

export function sandboxRequest(fields: SandboxFields): SandboxRequest {
  const { token, secretKey, origin, acceptLanguage, userAgent, clientLang, format } = fields;
  const sent = {
    Authorization: token && `Bearer ${token}`,
    Usersecretkey: secretKey,
    Origin: origin,
    'Content-Type': `application/${format}`,
    'Accept-Language': acceptLanguage,
    'User-Agent': userAgent,
    'X-Client-Lang': clientLang,
  };
  const ids = idsOf(fields);
  return {
    path: `/v1-sandbox/${format}/jobs-delete`,
    headers: Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== '')),
    body: format === 'json' ? jsonBody(ids) : xmlBody(ids),
  };
}

/** Spaces, commas and line breaks separate ids. */
function idsOf({ ids }: SandboxFields): readonly string[] {
  return ids.split(/[\s,;]+/).filter((id) => id !== '');
}

function jsonBody(ids: readonly string[]): string {
  return JSON.stringify({ jobs: { job: ids.map((id) => ({ id })) } });
}

function xmlBody(ids: readonly string[]): string {
  const jobs = ids.map((id) => `<job><id>${escapeXml(id)}</id></job>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<jobs>${jobs.join('')}</jobs>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
