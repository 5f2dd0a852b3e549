import type { RequestHeader, ResponseHeader } from '../../../header-names.ts';

export const en = {
  title: 'Delete job postings in bulk',
  introduction:
    'One HTTP `DELETE` names many job postings of your account. The service removes them permanently. The body is JSON or XML.',
  contents: 'On this page',
  languages: 'Language of this page',
  start: {
    heading: 'Get started',
    credentials:
      'Ask the operator of this service for an API token, a secret key and an allowed domain of your account.',
    environment: 'Store them in environment variables. Every example reads these four:',
    sandbox:
      'Send a deletion to the sandbox. The paths under `/v1-sandbox` run every check and delete nothing. Their answer looks live: only the header `Sandbox: true` marks it. Copy an example, replace its job ids with ids of your account, and run it.',
    answer: 'Read the answer. Status 200 means that every check has passed:',
    live: 'Replace `/v1-sandbox` with `/v1` to delete the jobs. Send an `Idempotency-Key` with each request: if you get no answer, send the same request again with the same key. The service deletes the jobs once.',
    demo: 'The examples use jobs of the demo account, which `npm start` creates. The file `data/demo.json` has its credentials.',
  },
  examples: {
    heading: 'Examples',
    introduction: 'Each example sends a deletion to the sandbox and prints the answer.',
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
      'Your browser sends the address of this page as `Origin`. The account must allow it. An operator can allow it:',
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
  reference: {
    heading: 'Reference',
    introduction: 'The same contract for tools, as an OpenAPI 3.1 document:',
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
    status: 'Read the status of a deletion',
    statusRules:
      'Send the same headers, without `Content-Type`. `state` is `queued` or `completed`. `completed_at` is null until all jobs are removed.',
    waitRules: '`?wait=SECONDS`, from 0 to 30, waits for the removal.',
    ownJobs: 'List the jobs of the account',
    ownJobsRules:
      'Send the same headers, without `Content-Type`. A page has at most `limit` jobs (1 to 10,000, default 1,000), in the order of their ids, without jobs that are queued for deletion. Send `next` as the `after` of the next page. It is null at the end.',
    refusals: 'Refusals',
    refusalRules:
      'The service accepts or refuses a request as a whole. A refusal changes nothing. Its body is a problem (RFC 9457) that names every wrong entry. Programs use `code`, which is the same in every language.',
    code: 'Code',
    statusCode: 'Status',
    meaning: 'Title',
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
  } satisfies Record<RequestHeader, string>,
  answerHeaders: {
    'Request-Id': 'a UUID; quote it when you report a defect',
    'Content-Language': 'the language of the texts',
    'Deletion-Id': 'the id of the deletion; not in the sandbox',
    'Idempotent-Replayed': '`true` if this is the first answer again',
    Sandbox: '`true` in the sandbox',
    'Retry-After': 'seconds to wait before the next attempt',
    RateLimit: 'the rest of the quota, if the account has one',
    'RateLimit-Policy': 'the quota',
    'Cache-Control': '`no-store`: no cache may keep the answer',
    Allow: 'with 405: the methods of the path',
    'WWW-Authenticate': 'with 401: `Bearer`',
  } satisfies Record<ResponseHeader, string>,
};
