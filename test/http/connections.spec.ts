import { beforeAll, expect, test } from '@jest/globals';
import { openRaw, type RawConnection } from '../harness/raw-http.ts';
import { startAnotherGateway } from '../harness/service.ts';
import { useService } from '../harness/use-service.ts';
import { until } from '../harness/until.ts';
import { completed, createClient, type Client } from './client.ts';
import { requestText, withLine } from './details.ts';

const service = useService();
let client: Client;
beforeAll(async () => {
  client = await createClient(service, 'connections');
});

test('a connection beyond the limit is closed immediately, until another one ends', async () => {
  const gateway = await startAnotherGateway(service, {}, { protection: { maxConnections: 3 } });
  const text = requestText(gateway.baseUrl, completed(client.account, { body: '' }));
  const statusOn = async (connection: RawConnection) => {
    connection.write(text);
    return (await connection.untilAnswers(1))[0]?.status;
  };
  const open: RawConnection[] = [];
  for (let index = 0; index < 3; index++) {
    const connection = await openRaw(gateway.baseUrl);
    expect(await statusOn(connection)).toBe(400);
    open.push(connection);
  }
  const further = await openRaw(gateway.baseUrl);
  expect(await further.untilClosed()).toEqual([]);
  further.destroy();
  open[0]?.destroy();
  const once = withLine(text, 'Connection: close');
  await until(
    async () => {
      const another = await openRaw(gateway.baseUrl);
      another.write(once);
      const [answer] = await another.untilClosed();
      another.destroy();
      return answer?.status === 400;
    },
    { what: 'room for another' },
  );
  for (const connection of open) connection.destroy();
  await gateway.stop();
});
