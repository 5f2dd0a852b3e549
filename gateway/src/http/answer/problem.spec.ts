import { describe, expect, test } from '@jest/globals';
import { type Language, languages, sentence } from '../../messages/messages.ts';
import { problemTable, problemTexts, statusOf } from '../../messages/problems.ts';
import { problemBody, type ProblemContext } from './problem.ts';
import type { EntryFault } from './refusal.ts';

const requestId = '0198f2a0-7c55-7d1e-8f43-2a1c5f0f9e11';
const context = (language: Language): ProblemContext => ({ language, requestId, typeBase: '/problems/' });
const codes = problemTable.map(({ code }) => code);

describe('problemBody', () => {
  test('has the members of RFC 9457 and of this API, in the documented order', () => {
    const body = problemBody(
      {
        code: 'job_not_found',
        errors: [
          {
            code: 'job_not_found',
            pointer: '/jobs/job/3/id',
            jobId: 'DEF456',
            detail: [sentence('method_wrong', { method: 'GET', allow: 'PUT' })],
          },
        ],
      },
      context('en'),
    );
    const message = 'The job was not found. It may have been deleted.';
    const detail = 'This path does not accept GET. Use PUT.';
    expect(JSON.stringify(body)).toBe(
      JSON.stringify({
        type: '/problems/job-not-found',
        title: message,
        status: 404,
        detail,
        code: 'job_not_found',
        instance: `urn:uuid:${requestId}`,
        errors: [{ pointer: '/jobs/job/3/id', job_id: 'DEF456', code: 'job_not_found', message, detail }],
      }),
    );
  });

  test('has `errors_truncated` last', () => {
    const fault: EntryFault = { code: 'body_malformed', pointer: '', detail: [sentence('body_absent')] };
    const body = problemBody(
      { code: 'body_malformed', errors: [fault, fault], truncated: true },
      context('fr'),
    );
    const members = ['type', 'title', 'status', 'detail', 'code', 'instance', 'errors', 'errors_truncated'];
    expect(Object.keys(body)).toEqual(members);
    expect(body.detail).toContain('Content-Length');
    expect(body.errors_truncated).toBe(true);
  });

  test('translates the title and the messages, but not the codes', () => {
    const errors: EntryFault[] = [{ code: 'header_invalid', header: 'User-Agent' }];
    const body = problemBody({ code: 'header_invalid', header: 'User-Agent', errors }, context('es'));
    expect(body.title).toBe('La cabecera «User-Agent» falta o no es válida.');
    expect(body.errors).toEqual([
      { header: 'User-Agent', code: 'header_invalid', message: body.title, detail: body.detail },
    ]);
  });

  test.each(codes)('%s has a non-empty `errors` exactly where the contract requires it', (code) => {
    const required = statusOf(code) === 400 || code === 'job_not_found';
    expect(problemBody({ code }, context('fr')).errors?.length).toBe(required ? 1 : undefined);
  });

  test('a refusal of a header names it, even without entries from the check', () => {
    const body = problemBody({ code: 'idempotency_key_reused', header: 'Idempotency-Key' }, context('fr'));
    expect(body.status).toBe(400);
    expect(body.errors).toMatchObject([{ header: 'Idempotency-Key', code: 'idempotency_key_reused' }]);
  });

  test('explains the first hundred entries only', () => {
    const errors = Array.from({ length: 102 }, (): EntryFault => ({ code: 'job_id_required' }));
    const explained = problemBody({ code: 'job_id_required', errors }, context('en')).errors ?? [];
    expect(explained.map(({ detail }) => detail !== undefined)).toEqual(
      errors.map((_, index) => index < 100),
    );
    expect(explained[101]).toEqual({ code: 'job_id_required', message: "The 'id' field is required." });
  });

  test('the detail is that of the first error, and counts the others', () => {
    const errors: EntryFault[] = [
      { code: 'job_id_required', detail: [sentence('id_null')] },
      { code: 'job_id_malformed', detail: [sentence('id_is_number')] },
    ];
    const detailOf = (faults: EntryFault[], truncated = false) =>
      problemBody({ code: 'job_id_required', errors: faults, truncated }, context('en')).detail;
    const first = "The 'id' is null. Send the id of a job, or remove the entry.";
    expect(detailOf(errors.slice(0, 1))).toBe(first);
    expect(detailOf(errors)).toBe(`${first} 2 entries are wrong: 'errors' lists them.`);
    expect(detailOf(errors, true)).toBe(`${first} 'errors' lists only the first 2 wrong entries.`);
  });

  test.each(codes)('%s says what to do in general, without an own detail', (code) => {
    for (const language of languages) {
      const { detail } = problemBody({ code }, context(language));
      expect(detail).toBe(problemTexts(language, code).remedy.replaceAll('`', ''));
    }
  });

  test('echoes 128 characters of an id', () => {
    const errors: EntryFault[] = [{ code: 'job_id_malformed', jobId: 'x'.repeat(4096) }];
    const body = problemBody({ code: 'job_id_malformed', errors }, context('fr'));
    expect(body.errors?.[0]?.job_id).toBe('x'.repeat(128));
  });

  test('the type is the address of the page of the problem', () => {
    const typeBase = 'https://api.example.com/api/problems/';
    const { type } = problemBody({ code: 'too_many_requests' }, { ...context('fr'), typeBase });
    expect(type).toBe('https://api.example.com/api/problems/too-many-requests');
  });
});

test('every status is documented', () => {
  const allowed = [400, 401, 403, 404, 405, 409, 413, 429, 500, 503];
  expect([...new Set(problemTable.map(({ status }) => status))].sort()).toEqual(allowed);
});
