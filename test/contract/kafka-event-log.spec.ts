import { afterAll } from '@jest/globals';
import { eventLogContract } from '@jobs-delete/deleter-service/event-log/contract/event-log.contract';
import { openKafkaEventLog } from '@jobs-delete/deleter-service/event-log/kafka-event-log';
import { describeWith } from '../servers/describe-with.ts';
import { kafkaTargets } from '../servers/unique-storage.ts';

describeWith('kafka', 'the contract of the event log', (serverUrl) => {
  const targets = kafkaTargets(serverUrl);
  afterAll(() => targets.removeAll());

  eventLogContract('Kafka', async () => {
    const target = await targets.create();
    let eventLog = await openKafkaEventLog(target);
    return {
      eventLog,
      reopen: async () => {
        await eventLog.close();
        return (eventLog = await openKafkaEventLog(target));
      },
      close: () => eventLog.close(),
    };
  });
});
