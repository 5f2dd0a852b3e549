import { expect, test } from '@jest/globals';
import { createLogger } from './logger.ts';

test('a log line has no character that acts on a terminal or reorders its text', () => {
  const lines: string[] = [];
  const log = createLogger('info', 'test', { write: (line) => void lines.push(line) });
  log.info({ userAgent: 'shop\u009b31m\u202e/1.0' }, 'request');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^[\x20-\x7e]+\n$/);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ userAgent: 'shop\u009b31m\u202e/1.0' });
});
