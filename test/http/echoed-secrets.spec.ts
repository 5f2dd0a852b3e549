import { beforeAll, expect, test } from '@jest/globals';
import { useService } from '../harness/use-service.ts';
import { createClient, pathOf, type Client, type ClientCall } from './client.ts';

const service = useService();
let client: Client;
beforeAll(async () => {
  client = await createClient(service, 'secrets');
});

type Place = (secret: string) => ClientCall;
const header = (name: string, value = (secret: string) => secret): Place => {
  return (secret) => ({ headers: { [name]: value(secret) } });
};

/** Everywhere a caller could put a credential by mistake. */
const places: Readonly<Record<string, Place>> = {
  Authorization: header('Authorization', (secret) => `Bearer ${secret}`),
  'Authorization without a scheme': header('Authorization'),
  'Authorization with another scheme': header('Authorization', (secret) => `Token "${secret}"`),
  Usersecretkey: header('Usersecretkey'),
  'Usersecretkey with a scheme': header('Usersecretkey', (secret) => `Bearer ${secret}`),
  Origin: header('Origin', (secret) => `https://${secret}`),
  'the path of the Origin': header('Origin', (secret) => `https://a.example/${secret}`),
  'Content-Type': header('Content-Type'),
  'Content-Encoding': header('Content-Encoding'),
  'Accept-Language': header('Accept-Language'),
  'User-Agent': header('User-Agent'),
  'X-Client-Lang': header('X-Client-Lang'),
  'Idempotency-Key': header('Idempotency-Key', (secret) => `${secret}\u00e9`),
  path: (secret) => ({ path: `/v1/${secret}` }),
  query: (secret) => ({ method: 'GET', path: `/v1/deletions/x?wait=${secret}` }),
  'a job id': (secret) => ({ jobIds: [secret, secret] }),
  'a member name': (secret) => ({ body: `{"${secret}":1,"${secret}":2}` }),
  'an XML element': (secret) => ({ path: pathOf('xml'), format: 'xml', body: `<${secret}/>` }),
};

test.each(Object.entries(places))('no answer repeats a credential in %s', async (_, call) => {
  const { token, secretKey } = client.account;
  for (const secret of [token, secretKey, token.slice(0, 60), `${secretKey}0`]) {
    const answer = await client.call(call(secret));
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.text).not.toContain(secret.slice(0, 20));
    expect(JSON.stringify(answer.headers)).not.toContain(secret.slice(0, 20));
  }
});
