import { beforeAll, describe, expect, test } from '@jest/globals';
import { type CredentialRequest, issueCredential } from '@jobs-delete/accounts/credentials/credential';
import { readOrCreatePepper } from '@jobs-delete/accounts/pepper/read-or-create-pepper';
import { startAnotherGateway } from '../harness/service.ts';
import { useService } from '../harness/use-service.ts';
import { until } from '../harness/until.ts';
import { createClient, expectAccepted, expectProblem, type Client } from './client.ts';

const service = useService();
let client: Client;
let jobIds: string[];
beforeAll(async () => {
  client = await createClient(service, 'revocation');
  jobIds = await client.newJobs(1);
});

/** Calls a gateway with an empty cache. */
async function callFreshly(headers: Record<string, string>) {
  const gateway = await startAnotherGateway(service);
  const answer = await client.at(gateway.baseUrl).call({ sandbox: true, jobIds, headers });
  await gateway.stop();
  return answer;
}

const kinds = {
  token: {
    code: 'token_invalid',
    headerOf: (text: string) => ({ Authorization: `Bearer ${text}` }),
  },
  'secret-key': {
    code: 'secret_key_invalid',
    headerOf: (text: string) => ({ Usersecretkey: text }),
  },
} as const;

describe.each(['token', 'secret-key'] as const)('a %s', (kind) => {
  const { code, headerOf } = kinds[kind];
  const issueOne = async (options: Partial<CredentialRequest> = {}) => {
    const pepper = readOrCreatePepper(service.dataDir);
    const request = { kind, accountId: 'revocation', ...options };
    const issued = await issueCredential(service.operator.accounts, pepper, request, Date.now);
    if (issued.kind !== 'issued') throw new Error(issued.kind);
    return issued;
  };

  test('that is issued beside another one works immediately, and so does the other', async () => {
    const { text } = await issueOne();
    expectAccepted(await client.call({ sandbox: true, jobIds, headers: headerOf(text) }), jobIds, true);
    expectAccepted(await client.call({ sandbox: true, jobIds }), jobIds, true);
  });

  test('that is revoked is refused, and the others still work', async () => {
    const { text, credential } = await issueOne();
    expectAccepted(await callFreshly(headerOf(text)), jobIds, true);
    await service.operator.accounts.revokeCredential('revocation', credential, Date.now());
    expectProblem(await callFreshly(headerOf(text)), code);
    expectAccepted(await callFreshly({}), jobIds, true);
  });

  test('that is paused gets the same answer as a revoked one, and works again when it is resumed', async () => {
    const { accounts } = service.operator;
    const [paused, revoked] = [await issueOne(), await issueOne()];
    await accounts.changeCredential('revocation', paused.credential, { pausedAtMs: Date.now() });
    await accounts.revokeCredential('revocation', revoked.credential, Date.now());
    const answers = [await callFreshly(headerOf(paused.text)), await callFreshly(headerOf(revoked.text))];
    for (const answer of answers) expectProblem(answer, code);
    const [first, second] = answers.map(({ text, headers }) =>
      text.replace(String(headers['request-id']), ''),
    );
    expect(first).toBe(second);
    await accounts.changeCredential('revocation', paused.credential, { pausedAtMs: null });
    expectAccepted(await callFreshly(headerOf(paused.text)), jobIds, true);
  });

  test('that is for the sandbox is refused elsewhere, with the reason', async () => {
    const { text } = await issueOne({ environment: 'sandbox' });
    const headers = headerOf(text);
    expectAccepted(await client.call({ sandbox: true, jobIds, headers }), jobIds, true);
    const refused = await client.call({ jobIds, headers });
    expectProblem(refused, code);
    expect(refused.text).toContain('for the sandbox only');
    expectAccepted(await client.call({ sandbox: true, jobIds }), jobIds, true);
  });

  test('that is expired is refused, and one that expires later is not', async () => {
    const expired = await issueOne({ expiresAtMs: Date.now() - 1 });
    const valid = await issueOne({ expiresAtMs: Date.now() + 3_600_000 });
    expectProblem(await callFreshly(headerOf(expired.text)), code);
    expectAccepted(await callFreshly(headerOf(valid.text)), jobIds, true);
  });

  test('that is revoked gets the same answer as an unknown one', async () => {
    const { text, credential } = await issueOne();
    await service.operator.accounts.revokeCredential('revocation', credential, Date.now());
    const revoked = await callFreshly(headerOf(text));
    const unknown = await callFreshly(headerOf(text.replace(/_[0-9a-f]{24}_/, `_${'0'.repeat(24)}_`)));
    const idOf = (answer: typeof revoked) => String(answer.headers['request-id']);
    expect(revoked.text.replace(idOf(revoked), '')).toBe(unknown.text.replace(idOf(unknown), ''));
  });
});

test('a removed domain is refused, and an added one is accepted', async () => {
  const { accounts } = service.operator;
  await accounts.allowDomain('revocation', 'later.example');
  expectAccepted(await callFreshly({ Origin: 'https://later.example' }), jobIds, true);
  await accounts.removeDomain('revocation', 'later.example');
  expectProblem(await callFreshly({ Origin: 'https://later.example' }), 'origin_not_allowed');
});

test('only an accepted live request records the use of its credentials', async () => {
  const user = await createClient(service, 'last-used');
  const used = async () => {
    const { accounts } = service.operator;
    const all = [
      await accounts.listCredentials('token', 'last-used'),
      await accounts.listCredentials('secret-key', 'last-used'),
    ];
    return all.flat().map(({ lastUsedAtMs }) => lastUsedAtMs !== undefined);
  };
  const own = await user.newJobs(1);
  expectAccepted(await user.call({ sandbox: true, jobIds: own }), own, true);
  expectProblem(await user.call({ jobIds: ['-'] }), 'job_id_malformed');
  expect(await used()).toEqual([false, false]);
  expectAccepted(await user.call({ jobIds: own }), own);
  // Recorded after the answer.
  await until(async () => (await used()).every((isUsed) => isUsed));
});

test('an accepted live request records the use of the entry that has matched, at most once a minute', async () => {
  const user = await createClient(service, 'domain-use');
  const { accounts } = service.operator;
  for (const domain of ['*.used.example', 'www.used.example', 'idle.example'])
    await accounts.allowDomain('domain-use', domain);
  const own = await user.newJobs(4);
  const gateway = await startAnotherGateway(service);
  const call = (host: string, index: number, sandbox = false) =>
    user.at(gateway.baseUrl).call({
      sandbox,
      jobIds: own.slice(index, index + 1),
      headers: { Origin: `https://${host}` },
    });
  const used = async () => {
    const uses = await accounts.listDomainUses('domain-use');
    return uses.filter(({ lastUsedAtMs }) => lastUsedAtMs !== undefined);
  };
  expectProblem(await call('idle.example:8443', 0), 'origin_not_allowed');
  expectAccepted(await call('idle.example', 0, true), own.slice(0, 1), true);
  expectAccepted(await call('www.used.example', 1), own.slice(1, 2));
  await until(async () => (await used()).length > 0);
  const [first] = await used();
  expect(first?.domain).toBe('www.used.example');
  expectAccepted(await call('www.used.example', 2), own.slice(2, 3));
  expectAccepted(await call('shop.used.example', 3), own.slice(3));
  // Recorded after the second use of the first entry would have been.
  await until(async () => (await used()).length > 1);
  expect(await used()).toEqual([expect.objectContaining({ domain: '*.used.example' }), first]);
  await gateway.stop();
});
