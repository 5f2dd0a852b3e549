import type { ProblemCode, ProblemTexts } from '../problems.ts';

export const en: Record<ProblemCode, ProblemTexts> = {
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
    meaning: 'The API token is unknown, expired or revoked.',
    remedy:
      'Send the whole token in `Authorization`. A token starts with `jdt_`. If the token is correct, ask the operator of the service for a new one.',
  },
  secret_key_invalid: {
    title: 'Unauthorized. Missing or invalid secret key.',
    meaning: 'The secret key is missing, unknown, expired or revoked, or it belongs to another account.',
    remedy:
      "Send a secret key of the token's account in `Usersecretkey`. A secret key starts with `jds_`. If the key is correct, ask the operator of the service for a new one.",
  },
  origin_not_allowed: {
    title: 'Origin not allowed.',
    meaning: 'The `Origin` header is missing, or it matches no allowed domain of the account.',
    remedy:
      'Send the scheme, the host and any port, without a path and without a slash at the end: `Origin: https://www.example.com`. If the account does not allow this origin, ask the operator of the service to allow it.',
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
