import { describe, expect, test } from '@jest/globals';
import { createStopStack } from './service-context.ts';

describe('a stop stack', () => {
  const setUp = () => {
    const stopped: string[] = [];
    const errors: [string, unknown][] = [];
    const stack = createStopStack((name, error) => errors.push([name, error]));
    const push = (name: string, stop?: () => void | Promise<void>) =>
      stack.push(name, async () => {
        stopped.push(name);
        await stop?.();
      });
    return { stack, stopped, errors, push };
  };

  test('runs the stop steps one at a time, in reverse order', async () => {
    const { stack, stopped, push } = setUp();
    let closed = false;
    push('store', () => expect(closed).toBe(true));
    push('server', async () => {
      await Promise.resolve();
      closed = true;
    });
    await stack.stop();
    expect(stopped).toEqual(['server', 'store']);
  });

  test('continues after a step that throws or rejects, and reports its name', async () => {
    const { stack, stopped, errors, push } = setUp();
    const [late, soon] = [new Error('late'), new Error('soon')];
    push('first');
    push('second', () => Promise.reject(late));
    stack.push('third', () => {
      throw soon;
    });
    await stack.stop();
    expect(stopped).toEqual(['second', 'first']);
    expect(errors).toEqual([
      ['third', soon],
      ['second', late],
    ]);
  });

  test('runs each step once; a second stop waits for the first', async () => {
    const { stack, stopped, push } = setUp();
    let finish: () => void = () => undefined;
    push('slow', () => new Promise((resolve) => (finish = resolve)));
    const first = stack.stop();
    let again = false;
    const second = stack.stop().then(() => (again = true));
    await Promise.resolve();
    expect(again).toBe(false);
    finish();
    await Promise.all([first, second]);
    await stack.stop();
    expect(stopped).toEqual(['slow']);
  });

  test('without steps reports no error', async () => {
    const { stack, errors } = setUp();
    await stack.stop();
    expect(errors).toEqual([]);
  });
});
