/** Sentences that say what is wrong and what to do. Each one has the same placeholders in every language. */
export const en = {
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
  expect_secret_key:
    "Send 'Usersecretkey: SECRET_KEY' with a secret key of the account. A secret key starts with jds_.",
  secret_key_is_token:
    'The Usersecretkey header has an API token (jdt_…). Send the secret key (jds_…) there, and the token in Authorization.',
  secret_key_form:
    "This is not a secret key alone. A secret key starts with jds_ and has {length} characters. Copy it again, without 'Bearer' and quotes.",
  secret_key_unknown:
    'The secret key is unknown, expired or revoked, or belongs to another account than the token. If you have copied it correctly, ask the operator of the service for a new one.',

  expect_origin: "Send an allowed domain of the account, such as 'Origin: https://www.example.com'.",
  origin_null:
    "The Origin is 'null': the page is a local file or a sandboxed frame. Open the page from a web server on an allowed domain.",
  origin_path: "The Origin '{value}' continues after the host. Remove the slash and everything after it.",
  origin_form:
    "'{value}' is not an origin. Send only the scheme, the host and any port, such as https://www.example.com:8443.",
  origin_scheme: "The Origin '{value}' has another scheme than the allowed domain. Send '{allowed}'.",
  origin_port: "The Origin '{value}' has another port than the allowed domain. Send '{allowed}'.",
  origin_apex:
    "The account allows the subdomains of '{host}', but not '{host}' itself. Send a subdomain, or ask the operator of the service to allow '{host}'.",
  origin_subdomain:
    "The account allows '{host}', but not its subdomain '{value}'. Send the allowed domain, or ask the operator of the service to allow the subdomain.",
  origin_unknown:
    "The Origin '{value}' matches no allowed domain of the account. Send an allowed domain, or ask the operator of the service to allow this one.",

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
    'The account may delete {limit} jobs within 24 hours. It has deleted {used}, and the request names {count}. The request has deleted no job. A manager of the account can allow more for a time, on the page “Safety” of the dashboard. The operator of the service can too.',
  requests_exceeded:
    'The requests of the account are limited to {quota} in {window} s. Wait {seconds} s, then send the request again.',
  job_quota_exceeded:
    'The jobs in requests of the account are limited to {quota} in {window} s. Wait {seconds} s, then send the request again.',
  failures_exceeded:
    'Too many requests from your network had wrong credentials. Correct the credentials, wait {seconds} s, then send the request again.',
  overloaded:
    'The service is overloaded. The request has changed nothing. Wait {seconds} s, then send it again.',
};
