import type { ProblemCode, ProblemTexts } from './problems.ts';

/** Sentences that say what is wrong and what to do. Each one has the same placeholders in every language. */
export const sentences = {
  jobs_queued: 'The jobs are queued for processing.',
  job_queued: 'Job {id} is queued for processing.',

  more_errors: "{count} entries are wrong: 'errors' lists them.",
  errors_truncated: "'errors' lists only the first {count} wrong entries.",

  header_missing: 'The {name} header is missing.',
  header_empty: 'The {name} header is empty.',
  header_repeated: 'The {name} header occurs {count} times. Send it once.',
  value_wrong: "The value '{value}' is not valid.",
  parameter_repeated: "The '{name}' parameter occurs {count} times.",
  expect_content_type: "Send 'Content-Type: {type}'. The only allowed charset is utf-8.",
  expect_content_encoding: 'Remove this header and send the body uncompressed.',
  expect_accept_language:
    "Send at least one of the supported languages (fr, en, es), such as 'Accept-Language: en'.",
  expect_user_agent:
    "Start with the name and version of your client, as name/version: 'User-Agent: my-client/1.0'.",
  expect_client_technology:
    "Send the technology of your client in 1 to 64 printable characters, such as 'X-Client-Lang: PHP'.",
  expect_idempotency_key: 'Send 1 to 255 printable ASCII characters, or remove this header.',
  expect_wait: "Send one whole number from 0 to 30, such as '?wait=30'.",
  expect_after:
    "Send the 'next' of the previous page once: 1 to 128 letters and digits, such as '?after=ABC123'. Leave it out for the first page.",
  expect_limit: "Send one whole number from 1 to 10000, such as '?limit=1000'.",

  not_a_bearer: 'The Authorization header is not a bearer credential.',
  expect_token:
    "Send 'Authorization: Bearer TOKEN' with an API token of the account. A token starts with jdt_.",
  token_is_secret_key:
    'The Authorization header has a secret key (jds_…). Send the API token (jdt_…) there, and the secret key in Usersecretkey.',
  token_form:
    'This is not a whole API token. A token starts with jdt_ and has {length} characters. Copy it again.',
  token_unknown:
    'The token is unknown, expired or revoked. If you have copied it correctly, ask the operator of the service for a new one.',
  token_of_sandbox:
    'The token is for the sandbox only. Send the request to a path that starts with /v1-sandbox, or send another token.',
  expect_secret_key:
    "Send 'Usersecretkey: SECRET_KEY' with a secret key of the account. A secret key starts with jds_.",
  secret_key_is_token:
    'The Usersecretkey header has an API token (jdt_…). Send the secret key (jds_…) there, and the token in Authorization.',
  secret_key_form:
    "This is not a secret key alone. A secret key starts with jds_ and has {length} characters. Copy it again, without 'Bearer' and quotes.",
  secret_key_unknown:
    'The secret key is unknown, expired or revoked, or belongs to another account than the token. If you have copied it correctly, ask the operator of the service for a new one.',
  secret_key_of_sandbox:
    'The secret key is for the sandbox only. Send the request to a path that starts with /v1-sandbox, or send another secret key.',

  expect_origin: "Send an allowed domain of the account, such as 'Origin: https://www.example.com'.",
  origin_null:
    "The Origin is 'null': the page is a local file or a sandboxed frame. Open the page from a web server on an allowed domain.",
  origin_path: "The Origin '{value}' continues after the host. Remove the slash and everything after it.",
  origin_form:
    "'{value}' is not an origin. Send only the scheme, the host and any port, such as https://www.example.com:8443.",
  origin_scheme: "The Origin '{value}' has another scheme than the allowed domain. Send '{allowed}'.",
  origin_port: "The Origin '{value}' has another port than the allowed domain. Send '{allowed}'.",
  origin_apex:
    "The account allows the subdomains of '{host}', but not '{host}' itself. Send a subdomain, or ask a manager of the account or the operator of the service to allow '{host}'.",
  origin_subdomain:
    "The account allows '{host}', but not its subdomain '{value}'. Send the allowed domain, or ask a manager of the account or the operator of the service to allow the subdomain.",
  origin_unknown:
    "The Origin '{value}' matches no allowed domain of the account. Send an allowed domain, or ask a manager of the account or the operator of the service to allow this one.",

  path_unknown: "There is no path '{path}'. Paths are case-sensitive and have no slash at the end.",
  paths: 'The paths are {paths}.',
  method_wrong: 'This path does not accept {method}. Use {allow}.',

  body_bytes: 'The body has {count} bytes. The limit is {limit}. Split the jobs into several requests.',
  body_bytes_exceeded: 'The body has more than {limit} bytes. Split the jobs into several requests.',
  jobs_exceeded:
    'The request names {count} jobs. The limit is {limit}. Split the jobs into {requests} requests.',

  body_absent:
    'No body was received. Send a Content-Length header: some clients and proxies strip the body of a DELETE request.',
  body_not_utf8: 'The body is not encoded in UTF-8. Encode it in UTF-8, without compression.',
  body_too_deep: 'The body is nested more than {limit} levels deep. Remove the members that are not needed.',
  body_is_xml: 'The body looks like XML. Send JSON to this path, or send this body to the XML path.',
  body_is_json: 'The body looks like JSON. Send XML to this path, or send this body to the JSON path.',
  json_syntax: "The body is not valid JSON: '{found}' is not allowed at line {line}, column {column}.",
  json_ends: 'The body is not valid JSON: it ends too early, at line {line}, column {column}.',
  json_quotes: 'Put names and texts between double quotes.',
  json_comma: 'Remove the comma before it.',
  json_correct: 'Correct the body at this place.',
  json_close: 'Close every quote, bracket and brace.',
  json_member_duplicated: "The name '{name}' occurs more than once in a JSON object. Keep one of them.",
  json_form: 'The expected form is {"jobs": {"job": [{"id": "ABC123"}, {"id": "DEF456"}]}}.',
  jobs_not_an_object: "The body must be an object whose 'jobs' field is an object.",
  job_not_a_list: "The 'jobs.job' field must be a list that is not empty, even for one job.",
  entry_not_an_object: 'Each entry of \'jobs.job\' must be an object, such as {"id": "ABC123"}.',
  xml_syntax: 'The body is not well-formed XML: there is an error at line {line}, column {column}.',
  xml_correct: 'Close every element, and write &amp; for & and &lt; for <.',
  xml_construct_refused: 'A DOCTYPE or a processing instruction is not allowed. Remove it.',
  xml_encoding:
    'The XML declaration must state version 1.0 and, where it states an encoding, UTF-8. Correct it, or remove it.',
  xml_form: 'The expected form is <jobs><job><id>ABC123</id></job><job><id>DEF456</id></job></jobs>.',
  xml_root: "The root element must be <jobs>, not '{name}'.",
  xml_no_job: 'The <jobs> element must hold at least one <job> element.',
  xml_text_outside_id: 'There is text outside an <id> element. Remove it, or put it into an <id> element.',
  xml_id_split: 'An <id> element holds text only. Remove the comment or element from it.',
  xml_id_repeated: 'A <job> element holds more than one <id> element. Use one <job> element for each id.',

  id_absent: "The entry has no 'id'. Add it, in lower case, or remove the entry.",
  id_null: "The 'id' is null. Send the id of a job, or remove the entry.",
  id_empty: "The 'id' is empty. Send the id of a job, or remove the entry.",
  id_is_number: "The 'id' is a number. It must be a string: put it between double quotes.",
  id_not_a_string: 'The \'id\' must be a string, such as "ABC123".',
  id_white_space: "The 'id' has white space at character {position}. Remove it.",
  id_character: "The 'id' has '{found}' at character {position}. Only A to Z, a to z and 0 to 9 are allowed.",
  id_length: "The length of the 'id' is {count}. It must be 4 to 128 characters.",
  id_duplicated: 'Entry {entry} of the request has the same id ({pointer}). Remove one of the two entries.',
  id_unknown:
    "The account has no job '{id}': it is unknown, already deleted, or belongs to another account. Ids are case-sensitive. The request has deleted no job: remove the entry, and send the request again.",

  deletion_limit:
    'The account may delete {limit} jobs within 24 hours. Its deletions of the last 24 hours have {used}, and the request names {count}. The request has deleted no job. A manager of the account can allow more for a time, on the page “Safety” of the dashboard. The operator of the service can too.',
  requests_exceeded:
    'The requests of the account are limited to {quota} in {window} s. Wait {seconds} s, then send the request again.',
  job_quota_exceeded:
    'The jobs in requests of the account are limited to {quota} in {window} s. Wait {seconds} s, then send the request again.',
  failures_exceeded:
    'Too many requests from your network had wrong credentials. Correct the credentials, wait {seconds} s, then send the request again.',
  overloaded:
    'The service is overloaded. The request has changed nothing. Wait {seconds} s, then send it again.',
};

/** The titles of the problems, and the texts of their pages. */
export const problems: Record<ProblemCode, ProblemTexts> = {
  job_id_required: {
    title: "The 'id' field is required.",
    meaning: 'An entry of the request has no job id: its `id` is absent, `null` or empty.',
    remedy: 'Add the `id`, or remove the entry. `errors` names every such entry.',
  },
  job_id_malformed: {
    title: "The 'id' field must be 4 to 128 alphanumeric characters.",
    meaning: 'A job id is not a string of 4 to 128 characters `A` to `Z`, `a` to `z` and `0` to `9`.',
    remedy:
      'Correct the ids that `errors` names. In JSON, put quotes around every id, even if it has digits only: `"12345"`.',
  },
  job_id_duplicated: {
    title: "Each 'id' must be unique within the request.",
    meaning: 'A job id occurs more than once in the request.',
    remedy: 'Remove the entries that `errors` names. Each of them repeats an earlier entry.',
  },
  body_malformed: {
    title: 'The request body is invalid.',
    meaning: 'The body is missing, or it is not valid JSON or XML of the expected form.',
    remedy:
      'Correct what `detail` and `errors` name. The JSON form is `{"jobs": {"job": [{"id": "ABC123"}]}}`. The XML form is `<jobs><job><id>ABC123</id></job></jobs>`.',
  },
  too_many_jobs: {
    title: 'The request holds too many jobs.',
    meaning: 'The request names more jobs than the limit.',
    remedy: 'Split the jobs into several requests. `detail` states the limit.',
  },
  header_invalid: {
    title: "The '{name}' header is missing or invalid.",
    meaning: 'A required header is missing, or a header has a wrong value.',
    remedy:
      'Correct every header that `errors` names. `Content-Type` is `application/json` or `application/xml`, as the path requires. `Accept-Language` contains `fr`, `en` or `es`. `User-Agent` starts with `name/version`, such as `my-client/1.0`. `X-Client-Lang` is the technology of the client, such as `PHP`.',
  },
  idempotency_key_reused: {
    title: 'The idempotency key was already used.',
    meaning: 'An earlier request of the account used this `Idempotency-Key` with other job ids.',
    remedy:
      'Send a new key with a new request. To repeat the earlier request, send the same ids in the same order.',
  },
  authentication_required: {
    title: 'Authentication required.',
    meaning: 'The request has no API token.',
    remedy:
      'Send `Authorization: Bearer TOKEN` once, with an API token of the account. A token starts with `jdt_`.',
  },
  token_invalid: {
    title: 'Unauthorized. Invalid token.',
    meaning: 'The API token is unknown, expired or revoked, or for the sandbox only.',
    remedy:
      'Send the whole token in `Authorization`. A token starts with `jdt_`. If the token is correct, ask the operator of the service for a new one.',
  },
  secret_key_invalid: {
    title: 'Unauthorized. Missing or invalid secret key.',
    meaning:
      'The secret key is missing, unknown, expired or revoked, for the sandbox only, or it belongs to another account.',
    remedy:
      "Send a secret key of the token's account in `Usersecretkey`. A secret key starts with `jds_`. If the key is correct, ask the operator of the service for a new one.",
  },
  origin_not_allowed: {
    title: 'Origin not allowed.',
    meaning: 'The `Origin` header is missing, or it matches no allowed domain of the account.',
    remedy:
      'Send the scheme, the host and any port, without a path and without a slash at the end: `Origin: https://www.example.com`. If the account does not allow this origin, ask a manager of the account or the operator of the service to allow it.',
  },
  query_invalid: {
    title: "The '{name}' parameter is invalid.",
    meaning: 'A query parameter has a wrong value, or it occurs more than once.',
    remedy:
      'Send each parameter once: `wait` with a whole number from 0 to 30, `limit` with one from 1 to 10000, and `after` with the `next` of the previous page.',
  },
  job_not_found: {
    title: 'The job was not found. It may have been deleted.',
    meaning:
      'The account has no such job: it is unknown, already deleted, or belongs to another account. The request has deleted no job.',
    remedy:
      'Remove the ids that `errors` names, and send the request again. Ids are case-sensitive. If this was a retry, an earlier attempt may have deleted the jobs: send an `Idempotency-Key` to make retries safe.',
  },
  deletion_not_found: {
    title: 'Deletion not found.',
    meaning: 'The account has no such deletion, or its receipt has expired.',
    remedy: "Use the `Deletion-Id` header of an answer with status 200 to one of the account's requests.",
  },
  deletion_not_cancellable: {
    title: 'The deletion can no longer be cancelled.',
    meaning:
      'An account may have a delay between acceptance and removal. This deletion does not wait: its removal has begun, or the account had no delay.',
    remedy: 'Read the status of the deletion with GET.',
  },
  deletion_limit_exceeded: {
    title: 'Deletion limit exceeded.',
    meaning: 'The account would delete more jobs within 24 hours than its limit allows. Nothing has changed.',
    remedy:
      'Check that the jobs are the ones to delete. Wait until earlier deletions are 24 hours old, or ask a manager of the account to allow more for a time, on the page “Safety” of the dashboard. The operator of the service can too.',
  },
  route_not_found: {
    title: 'Resource not found.',
    meaning: 'The API has no such path.',
    remedy:
      'Correct the path. It is case-sensitive and has no slash at the end. The paths are `/v1/json/jobs-delete`, `/v1/xml/jobs-delete`, `/v1-sandbox/json/jobs-delete`, `/v1-sandbox/xml/jobs-delete` and `/v1/deletions/{Deletion-Id}`.',
  },
  method_not_allowed: {
    title: 'Method not allowed.',
    meaning: 'The path exists, but does not accept this method.',
    remedy: 'Use a method that the `Allow` header of the answer names.',
  },
  body_too_large: {
    title: 'The request body is too large.',
    meaning: 'The body has more bytes than the limit.',
    remedy: 'Split the jobs into several requests. `detail` states the limit.',
  },
  too_many_requests: {
    title: 'Too many requests.',
    meaning: 'The account, or the network of the caller, has exceeded a limit.',
    remedy: 'Wait as many seconds as the `Retry-After` header states, then send the request again.',
  },
  internal_error: {
    title: 'Internal server error.',
    meaning: 'The service has a defect. The request may have taken effect.',
    remedy: 'Report the `Request-Id` of the answer to the operator of the service.',
  },
  unavailable: {
    title: 'Service temporarily unavailable.',
    meaning: 'The service is overloaded, or a part of it is unavailable. The request may have taken effect.',
    remedy:
      'Wait as many seconds as the `Retry-After` header states, then send the same request again. With the same `Idempotency-Key`, the service deletes the jobs only once.',
  },
};
