import { describe, expect, test } from '@jest/globals';
import { startWithStops, type StopStack } from './service-context.ts';

describe('a start with stops', () => {
  const setUp = async () => {
    const stopped: string[] = [];
    const errors: [string, unknown][] = [];
    const log = { error: ({ err }: { err: unknown }, text: string) => errors.push([text, err]) };
    const push = (name: string, stop?: () => void | Promise<void>) =>
      stack.push(name, async () => {
        stopped.push(name);
        await stop?.();
      });
    let stack: StopStack = { push: () => undefined };
    const { stop } = await startWithStops(log as never, (given) => {
      stack = given;
      return Promise.resolve({});
    });
    return { stop, stopped, errors, push, stack };
  };

  test('runs the stop steps one at a time, in reverse order', async () => {
    const { stop, stopped, errors, push } = await setUp();
    let closed = false;
    push('store', () => expect(closed).toBe(true));
    push('server', async () => {
      await Promise.resolve();
      closed = true;
    });
    await stop();
    expect(stopped).toEqual(['server', 'store']);
    expect(errors).toEqual([]);
  });

  test('continues after a step that throws or rejects, and reports its name', async () => {
    const { stop, stopped, errors, push, stack } = await setUp();
    const [late, soon] = [new Error('late'), new Error('soon')];
    push('first');
    push('second', () => Promise.reject(late));
    stack.push('third', () => {
      throw soon;
    });
    await stop();
    expect(stopped).toEqual(['second', 'first']);
    expect(errors).toEqual([
      ['stopping third failed', soon],
      ['stopping second failed', late],
    ]);
  });

  test('runs each step once; a second stop waits for the first', async () => {
    const { stop, stopped, push } = await setUp();
    let finish: () => void = () => undefined;
    push('slow', () => new Promise((resolve) => (finish = resolve)));
    const first = stop();
    let again = false;
    const second = stop().then(() => (again = true));
    await Promise.resolve();
    expect(again).toBe(false);
    finish();
    await Promise.all([first, second]);
    await stop();
    expect(stopped).toEqual(['slow']);
  });

  test('stops what it has started when it fails', async () => {
    const stopped: string[] = [];
    const failure = startWithStops({ error: () => undefined }, (stack) => {
      stack.push('first', () => void stopped.push('first'));
      stack.push('second', () => void stopped.push('second'));
      return Promise.reject(new Error('third'));
    });
    await expect(failure).rejects.toThrow('third');
    expect(stopped).toEqual(['second', 'first']);
  });

  test('without steps reports no error', async () => {
    const { stop, errors } = await setUp();
    await stop();
    expect(errors).toEqual([]);
  });
});
