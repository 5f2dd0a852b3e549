import type { RequestHeader, ResponseHeader } from '../../../header-names.ts';

export const en = {
  title: 'Delete job postings in bulk',
  introduction:
    'One HTTP request deletes up to {jobs} job postings of your account, in JSON or XML. A deletion is permanent.',
  promises: {
    'All or nothing':
      'A request with one wrong id changes nothing. The answer names every wrong id, and says how to correct it.',
    'Safe to repeat': 'With an `Idempotency-Key`, a repeated request never deletes twice.',
    Durable: 'Status 200 means that every job of the request will be removed, whatever fails meanwhile.',
  } as Readonly<Record<string, string>>,
  contents: 'On this page',
  languages: 'Language of this page',
  yourOrigin: 'Your origin',
  yourOriginHint: 'The address of your site. It fills in the examples of this page.',
  start: {
    heading: 'Get started',
    credentials:
      'Get an API token, a secret key and an allowed domain for your account: in the dashboard, or from support.',
    environment: 'Store them in environment variables. Every example reads these four:',
    sandbox:
      'Send a deletion to the sandbox. The paths under `/v1-sandbox` run every check and delete nothing. Copy an example, replace its job ids with ids of your account, and run it.',
    answer: 'Read the answer. Status 200 means that every check has passed:',
    live: 'Replace `/v1-sandbox` with `/v1` to delete the jobs.',
    looksLive: 'The answer of the sandbox looks live. Only the header `Sandbox: true` marks it.',
  },
  examples: {
    heading: 'Examples',
    introduction:
      'Each example sends a deletion to the sandbox, with an `Idempotency-Key`. It repeats the request after 429, 502, 503, 504 and a lost connection, and waits as `Retry-After` says. It prints the answer, and fails unless the status is 200.',
    language: 'Language',
    format: 'Format',
    run: 'Run it:',
    copy: 'Copy',
    copied: 'Copied',
  },
  sandbox: {
    heading: 'Try the sandbox',
    introduction: 'This form sends a deletion to the sandbox. It deletes nothing.',
    memory: 'The page keeps your credentials in its memory only. They are gone when you close it.',
    origin:
      'Your browser sends the address of this page as `Origin`. Your account must allow it: add this domain in the dashboard, or ask support.',
    needsScript: 'The form needs JavaScript.',
    format: 'Format',
    token: 'API token',
    secretKey: 'Secret key',
    jobIds: 'Job ids',
    jobIdsHint: 'One id in each line.',
    send: 'Send to the sandbox',
    sending: 'Sending…',
    answer: 'Answer',
    noAnswer: 'No answer. Check the fields and your connection, then try again.',
  },
  retries: {
    heading: 'Retry safely',
    introduction:
      'Send an `Idempotency-Key` with every deletion. Draw one key for each request, such as a UUID, and store it before you send the request. Repeat the same ids, in the same order, with the same key, until you have an answer.',
    got: 'You get',
    action: 'What to do',
    answers: {
      '`200`': 'The deletion is accepted. `Idempotent-Replayed: true` marks a repeated answer.',
      'No answer, `502`, `504`': 'The outcome is unknown. Wait, and send the same request again.',
      '`503`':
        'Wait as long as `Retry-After` says, and send the same request again. The jobs may be deleted already.',
      '`429`': 'Wait as long as `Retry-After` says, and send the same request again. Nothing has changed.',
      '`400` to `413`': 'Correct the request first. A refused request does not use up its key.',
      '`500`': 'Report the `Request-Id` to support. You may repeat the request with its key.',
    } as Readonly<Record<string, string>>,
    rules: [
      'Double the wait after each attempt, up to 30 seconds, and make it random. Never wait less than `Retry-After` says.',
      'Without a key, a repeated request gets 404: the first one may have deleted the jobs.',
      'A key with other ids gets 400 `idempotency_key_reused`.',
      'The service keeps a key for at least 24 hours. The sandbox keeps none.',
    ],
  },
  errors: {
    heading: 'Errors',
    introduction:
      'The service accepts or refuses a request as a whole. A refusal changes nothing. Its body is a problem (RFC 9457) in your language that names every wrong entry. Programs use `code`, which is the same in every language.',
    code: 'Code',
    statusCode: 'Status',
    meaning: 'Title',
    request: {
      heading: 'Correct the request',
      text: 'Do not repeat it unchanged. `errors` and `detail` say what is wrong.',
    },
    credentials: {
      heading: 'Correct your credentials',
      text: 'Check the token, the secret key, their expiry and the allowed domains.',
    },
    wait: {
      heading: 'Wait, then repeat',
      text: 'Send the same request again after `Retry-After`, with the same key.',
    },
    support: { heading: 'Ask support', text: 'Send the `Request-Id` of the answer.' },
  },
  limits: {
    heading: 'Rate limits',
    introduction:
      'Your account may have a limit on requests, and one on jobs, in a window of time. Every answer then has both limits and what is left:',
    rules: [
      'In `RateLimit-Policy`, `q` is the quota and `w` the window in seconds. In `RateLimit`, `r` is what is left and `t` the seconds until the window ends.',
      'Beyond a limit, the answer is 429 `too_many_requests` with `Retry-After`. Nothing has changed.',
      'The sandbox has a quota of its own, of the same size. Reading a status or a list counts as a request.',
      'A network that sends too many wrong credentials gets 429 too.',
      'Status 503 is no rate limit: the service is busy, or a part of it is away.',
    ],
  },
  keys: {
    heading: 'Keys and tokens',
    introduction:
      'A request needs an API token, a secret key of the same account, and an allowed domain as `Origin`.',
    rules: [
      'The dashboard shows a token or key once, when it is created. Keep both in the secret store of your servers, never in a web page or an app.',
      'Each one may have a date of expiry. You can revoke one at any time. It stops working within 5 seconds.',
      'An account may have any number of both, for example one pair for each program.',
    ],
    rotation: 'Replace a token or key before it expires, without a gap:',
    rotationSteps: [
      'Create a second one.',
      'Give it to your program.',
      'Wait until the dashboard shows that the old one is no longer used.',
      'Revoke the old one.',
    ],
    forbidden:
      'If a program that worked gets 403, its credentials have expired or were revoked, or the domain is no longer allowed. The `code` tells which. A retry does not help: replace the token or key, or allow the domain.',
  },
  permanent: {
    heading: 'Deletion is irreversible',
    warning: 'Nobody can bring a deleted job posting back. Check the ids in the sandbox first.',
    rules: [
      'A job that is posted again under the same id is another job. No older deletion removes it.',
      'Your account may have a limit on the jobs that it deletes within 24 hours. A request beyond it gets 403 `deletion_limit_exceeded`, and changes nothing.',
    ],
    delayHeading: 'Delay and cancel',
    delay:
      'Your account may have a delay between acceptance and removal, up to 30 days. Until `removal_at`, this request cancels the deletion as a whole:',
    cancelRules: [
      'The answer has the `state` `cancelled`. The jobs stay, and can be deleted again with another key.',
      'Cancelling twice has the same answer.',
      'Once the removal has begun, or without a delay, the answer is 409 `deletion_not_cancellable`.',
    ],
  },
  clients: {
    heading: 'Clients and command line',
    introduction:
      'The official clients split any number of ids into requests, send keys, retry, and continue after an interruption. If your registry does not have these packages, ask support for their files.',
    command: 'Command line',
    commandHint: 'It needs Node. The same command continues an interrupted run.',
  },
  rehearsal: {
    heading: 'Rehearse',
    introduction:
      'The sandbox remembers nothing: it has no `Deletion-Id`, no status and no replay. Rehearse these on your own machine, with a demo account of 1,000 jobs. You need the source of jobs-delete and Node:',
    script: 'Then run this script in the same folder:',
    reset: '`npm start -- --reset-demo` brings the deleted demo jobs back.',
  },
  reference: {
    heading: 'Reference',
    introduction: 'The same contract for tools, as an OpenAPI 3.1 document:',
    headers: 'Every request needs these headers. Only a deletion needs a `Content-Type`.',
    deletion: 'Delete jobs',
    deletionPaths: 'Paths',
    live: 'deletes the jobs',
    checksOnly: 'checks the request',
    path: 'Path',
    effect: 'Effect',
    requestHeaders: 'Request headers',
    optional: 'optional',
    body: 'Body',
    bodyRules:
      'A job id has 4 to 128 letters and digits, and occurs once in a request. A request names at most {jobs} jobs in at most {bytes} bytes, encoded in UTF-8.',
    answer: 'Answer 200',
    answerRules:
      'The answer is JSON on every path. It has one result for each job, in the order of the request. The deletion is stored durably.',
    answerHeaders: 'Answer headers',
    whoami: 'Check your credentials',
    whoamiRules:
      'It answers 200 if the credentials work, with their account. `expires_at` is null if a credential does not expire. `origin` is that of the request. Wrong credentials get the refusal that a deletion would get.',
    status: 'Read the status of a deletion',
    statusRules:
      '`state` is `queued`, `completed` or `cancelled`. `completed_at` is null until all jobs are removed. `?wait=SECONDS`, from 0 to 30, waits for the removal.',
    ownJobs: 'List the jobs of the account',
    ownJobsRules:
      'A page has at most `limit` jobs (1 to 10,000, default 1,000), in the order of their ids, without jobs that are queued for deletion. Send `next` as the `after` of the next page. It is null at the end.',
  },
  requestHeaders: {
    Authorization: '`Bearer TOKEN`, with an API token of the account',
    Usersecretkey: 'a secret key of the same account',
    Origin: 'an origin that matches an allowed domain of the account',
    'Content-Type': '`application/json` or `application/xml`, as in the path',
    'Content-Encoding': 'no compression: only `identity`',
    'Accept-Language': 'the language of the texts: `fr`, `en` or `es`',
    'User-Agent': 'starts with `NAME/VERSION`',
    'X-Client-Lang': 'the technology of the client, such as `PHP` or `C#`',
    'Idempotency-Key':
      '1 to 255 printable ASCII characters; the same key with the same ids gets the first answer again',
    Prefer: '`errors=all`: a refusal names every wrong entry, not only the first 100',
  } satisfies Record<RequestHeader, string>,
  answerHeaders: {
    'Request-Id': 'a UUID; quote it when you report a defect',
    'Content-Language': 'the language of the texts',
    'Deletion-Id': 'the id of the deletion; not in the sandbox',
    'Idempotent-Replayed': '`true` if this is the first answer again',
    'Preference-Applied': '`errors=all` if the refusal names every wrong entry as preferred',
    Sandbox: '`true` in the sandbox',
    'Retry-After': 'seconds to wait before the next attempt',
    RateLimit: 'the rest of the quota, if the account has one',
    'RateLimit-Policy': 'the quota',
    'Cache-Control': '`no-store`: no cache may keep the answer',
    Allow: 'with 405: the methods of the path',
    'WWW-Authenticate': 'with 401: `Bearer`',
  } satisfies Record<ResponseHeader, string>,
};
