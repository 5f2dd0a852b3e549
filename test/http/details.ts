import { describe, expect, test } from '@jest/globals';
import { expectProblem, type Client, type ClientCall } from './client.ts';
import { languages, type Code, type Texts } from './contract.ts';

/** A wrong call, and what its refusal says about it in each language. */
export interface DetailCase {
  readonly title: string;
  readonly code: Code;
  readonly call: (client: Client) => ClientCall;
  /** The header or parameter in the title of the problem. */
  readonly header?: string;
  /** The methods of a 405. Default: DELETE. */
  readonly allow?: string;
  readonly detail: Texts;
}

/** Tests the `detail` of the problem, and of its only error if it has one. */
export function testDetails(cases: readonly DetailCase[], client: () => Client): void {
  describe.each(cases)('$title', ({ code, call, header, allow, detail }) => {
    test.each(languages)('in %s', async (language) => {
      const answer = await client().call({ ...call(client()), language });
      const options = {
        language,
        ...(header !== undefined && { header }),
        ...(allow !== undefined && { allow }),
      };
      const problem = expectProblem(answer, code, options);
      expect(problem.detail).toBe(detail[language]);
      if (problem.errors !== undefined)
        expect(problem.errors.map((error) => error.detail)).toEqual([problem.detail]);
    });
  });
}
