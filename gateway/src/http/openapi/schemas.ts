import { deletionIdPattern, jobIdPattern } from '@jobs-delete/proto/ids';
import { problemTable } from '../../messages/problems.ts';
import { maxErrors, type ProblemBody, type ProblemError } from '../answer/problem.ts';
import type { DeletionStatusBody, whoAmIBody } from '../answer/send.ts';
import { publicStates } from '../../deleter/repeated-calls.ts';
import { afterPattern, maxPageJobs } from '../request/read-query.ts';

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: Json;
}

/** Marks what this service adds to the reference of the API. */
export const extension = { 'x-extension': true } as const;

export function ref(kind: string, name: string): JsonObject {
  return { $ref: `#/components/${kind}/${name}` };
}

/** Returns an object with a member for each name. */
export function fromNames<Name extends string, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>;
}

/** Returns the schemas of all bodies. XML has the same form as the member `jobs` of the JSON body. */
export function schemas({ maxJobsPerRequest }: { readonly maxJobsPerRequest: number }): JsonObject {
  return {
    JobId: {
      type: 'string',
      pattern: jobIdPattern.source,
      description: 'The id of a job: 4 to 128 letters and digits. Case-sensitive.',
      examples: ['NURSE001'],
    },
    Job: object({ id: ref('schemas', 'JobId') }),
    Jobs: {
      ...object({
        job: {
          type: 'array',
          minItems: 1,
          maxItems: maxJobsPerRequest,
          description: 'The jobs to delete. Each id occurs once.',
          items: ref('schemas', 'Job'),
        },
      }),
      xml: { name: 'jobs' },
    },
    DeletionRequest: {
      ...object({ jobs: ref('schemas', 'Jobs') }),
      description: 'Unknown members are ignored. A member name that occurs twice is refused.',
    },
    Accepted: accepted(maxJobsPerRequest),
    DeletionStatus: deletionStatus(maxJobsPerRequest),
    WhoAmI: whoAmI(),
    OwnJobs: closed({
      jobs: {
        type: 'array',
        maxItems: maxPageJobs,
        description: 'In the order of the bytes of their ids.',
        items: closed({ id: ref('schemas', 'JobId') }),
      },
      next: {
        type: ['string', 'null'],
        pattern: afterPattern.source,
        description: 'The `after` of the next page. Null at the end.',
      },
    }),
    ProblemCode: {
      type: 'string',
      enum: problemTable.map(({ code }) => code),
      description: 'Why a request is refused. A code never changes, in any language.',
    },
    ProblemError: closed(problemError(), ['code', 'message']),
    Problem: {
      ...closed(problem(maxJobsPerRequest), ['type', 'title', 'status', 'code', 'instance']),
      description: 'A problem of RFC 9457.',
    },
  };
}

/** Returns the schema of an object whose members are all required. Other members are ignored. */
function object(properties: JsonObject): JsonObject {
  return { type: 'object', required: Object.keys(properties), properties };
}

/** Returns the schema of an object without other members. */
function closed(properties: JsonObject, required: readonly string[] = Object.keys(properties)): JsonObject {
  return { type: 'object', required, properties, additionalProperties: false };
}

function accepted(maxJobs: number): JsonObject {
  return closed({
    status: { type: 'string', description: 'A text for people.' },
    processed_jobs: { type: 'integer', minimum: 1, maximum: maxJobs },
    results: {
      type: 'array',
      minItems: 1,
      maxItems: Math.max(maxJobs, maxErrors),
      description: 'One result for each job, in the order of the request.',
      items: closed({
        job_id: ref('schemas', 'JobId'),
        status: { type: 'string', description: 'Always `success`.' },
        message: { type: 'string', description: 'A text for people.' },
      }),
    },
  });
}

function whoAmI(): JsonObject {
  const credential = closed({
    id: { type: 'string', description: 'The public part.' },
    expires_at: { type: ['string', 'null'], format: 'date-time', description: 'Null if it does not expire.' },
  });
  const properties: Record<keyof ReturnType<typeof whoAmIBody>, Json> = {
    account_id: { type: 'string' },
    account_name: { type: ['string', 'null'] },
    token: credential,
    secret_key: credential,
    origin: { type: 'string', description: 'The Origin of the request, which the account allows.' },
    limits: closed({
      max_jobs_per_request: { type: 'integer', minimum: 1 },
      max_body_bytes: { type: 'integer', minimum: 1 },
    }),
  };
  return closed(properties);
}

function deletionStatus(maxJobs: number): JsonObject {
  const time: JsonObject = { type: 'string', format: 'date-time' };
  const properties: Record<keyof DeletionStatusBody, Json> = {
    deletion_id: { type: 'string', pattern: deletionIdPattern.source },
    state: {
      type: 'string',
      enum: publicStates,
      description: '`completed`: every job is removed. `cancelled`: none is.',
    },
    jobs: { type: 'integer', minimum: 1, maximum: maxJobs },
    accepted_at: time,
    removal_at: {
      ...time,
      description: 'When the removal begins. Present while the deletion can be cancelled.',
    },
    completed_at: {
      ...time,
      type: ['string', 'null'],
      description: 'Null unless the deletion is completed.',
    },
  };
  const required = Object.keys(properties).filter((name) => name !== 'removal_at');
  return closed(properties, required);
}

function problem(maxJobs: number): Record<keyof ProblemBody, Json> {
  return {
    type: { type: 'string', format: 'uri-reference', description: 'The page that explains the problem.' },
    title: { type: 'string', description: 'A text for people, in the language of the answer.' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { type: 'string', description: 'A text for people that says what to correct.' },
    code: ref('schemas', 'ProblemCode'),
    instance: {
      type: 'string',
      format: 'uri',
      pattern: '^urn:uuid:',
      description: 'The Request-Id of the answer.',
    },
    errors: {
      type: 'array',
      minItems: 1,
      maxItems: maxJobs,
      description:
        'Every wrong entry, in the order of the request; without `Prefer: errors=all` at most 100.',
      items: ref('schemas', 'ProblemError'),
    },
    errors_truncated: { type: 'boolean', description: 'True when there are more wrong entries.' },
  };
}

function problemError(): Record<keyof ProblemError, Json> {
  return {
    pointer: {
      type: 'string',
      format: 'json-pointer',
      description: 'Where the fault is in the JSON form of the body, also for XML.',
    },
    job_id: { type: 'string', maxLength: 128, description: 'The wrong id, as the caller sent it.' },
    header: { type: 'string', description: 'The name of a wrong header.' },
    parameter: { type: 'string', description: 'The name of a wrong query parameter.' },
    code: ref('schemas', 'ProblemCode'),
    message: { type: 'string', description: 'A text for people, in the language of the answer.' },
    detail: {
      type: 'string',
      description: 'A text for people that says what to correct. Only the first 100 entries have it.',
    },
  };
}
