import { beforeAll, expect, test } from '@jest/globals';
import { openRaw, type RawConnection } from '../harness/raw-http.ts';
import { startAnotherGateway } from '../harness/service.ts';
import { useService } from '../harness/use-service.ts';
import { completed, createClient, type Client } from './client.ts';
import { requestText, withLine } from './details.ts';

const service = useService();
let client: Client;
beforeAll(async () => {
  client = await createClient(service, 'connections');
});

test('a connection beyond the limit takes the place of the one that is idle for the longest time', async () => {
  const gateway = await startAnotherGateway(service, {}, { protection: { maxConnections: 3 } });
  const text = requestText(gateway.baseUrl, completed(client.account, { body: '' }));
  const open: RawConnection[] = [];
  for (let index = 0; index < 4; index++) {
    const connection = await openRaw(gateway.baseUrl);
    connection.write(text);
    expect((await connection.untilAnswers(1))[0]?.status).toBe(400);
    open.push(connection);
  }
  const [first, ...others] = open;
  expect(await first?.untilClosed()).toHaveLength(1);
  for (const connection of others) {
    connection.write(text);
    expect((await connection.untilAnswers(2))[1]?.status).toBe(400);
  }
  for (const connection of open) connection.destroy();
  await gateway.stop();
});

test('a connection beyond the limit is closed at once if the others have requests in progress', async () => {
  const gateway = await startAnotherGateway(service, {}, { protection: { maxConnections: 1 } });
  const text = requestText(gateway.baseUrl, completed(client.account, { body: '{}' }));
  const busy = await openRaw(gateway.baseUrl);
  // The rest of the body is missing.
  busy.write(withLine(text, 'Expect: 100-continue').slice(0, -1));
  await busy.untilAnswers(1);
  const further = await openRaw(gateway.baseUrl);
  expect(await further.untilClosed()).toEqual([]);
  busy.write('}');
  expect((await busy.untilAnswers(2)).map(({ status }) => status)).toEqual([100, 400]);
  for (const connection of [busy, further]) connection.destroy();
  await gateway.stop();
});
