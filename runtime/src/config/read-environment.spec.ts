import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { integer, oneOf } from './variables.ts';
import { readAll, readEnvironment, requireFreePorts } from './read-environment.ts';
import { ConfigurationError } from '../startup-error.ts';

const shape = {
  PORT: integer(0, 65_535, 8_080),
  MODE: oneOf(['fast', 'safe'], 'safe'),
  NAME: z.string().optional(),
};

const refusal = async (read: () => unknown): Promise<ConfigurationError> => {
  try {
    await read();
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error('it was not refused');
};

describe('readEnvironment', () => {
  test('returns values and defaults, frozen', () => {
    const values = readEnvironment(shape, { PORT: '0', NAME: 'n', UNRELATED: 'x' });
    expect(values).toEqual({ PORT: 0, MODE: 'safe', NAME: 'n' });
    expect(Object.isFrozen(values)).toBe(true);
  });

  test('treats an empty variable as absent', () => {
    expect(readEnvironment(shape, { PORT: '', MODE: '', NAME: '' })).toEqual({ PORT: 8_080, MODE: 'safe' });
  });

  test.each(['-1', '65536', '1.5', '1e3', '0x10', ' 80', '80 ', 'eighty', '１２', '9'.repeat(30)])(
    'takes only a whole number in range for a number, not %j',
    async (value) => {
      const { message } = await refusal(() => readEnvironment(shape, { PORT: value }));
      expect(message).toBe(
        `The configuration is not valid:\n  PORT: must be a whole number from 0 to 65535, not '${value}'`,
      );
    },
  );

  test('reports every invalid variable with its allowed values, and exit code 2', async () => {
    const error = await refusal(() => readEnvironment(shape, { PORT: 'x', MODE: 'quick' }));
    expect(error.exitCode).toBe(2);
    expect(error.problems).toEqual([
      "PORT: must be a whole number from 0 to 65535, not 'x'",
      "MODE: must be fast or safe, not 'quick'",
    ]);
  });
});

describe('readAll', () => {
  const failing =
    (...problems: string[]) =>
    (): never => {
      throw new ConfigurationError(problems);
    };

  test('returns the results in order', async () => {
    expect(await readAll<[number, string]>([() => 1, () => Promise.resolve('two')])).toEqual([1, 'two']);
  });

  test('reports the problems of all readers, without duplicates', async () => {
    const reading = () =>
      readAll<[never, never, number]>([failing('A: x', 'B: y'), failing('B: y', 'C: z'), () => 1]);
    expect((await refusal(reading)).problems).toEqual(['A: x', 'B: y', 'C: z']);
  });

  test('rethrows other errors', async () => {
    const defect = new TypeError('defect');
    const reading = readAll<[never]>([
      () => {
        throw defect;
      },
    ]);
    await expect(reading).rejects.toBe(defect);
  });
});

describe('requireFreePorts', () => {
  const servers: Server[] = [];
  const listen = async (): Promise<number> => {
    const server = createServer();
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    return (server.address() as AddressInfo).port;
  };
  afterEach(async () => {
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
  });
  const host = '127.0.0.1';

  test('accepts free ports and leaves them free', async () => {
    const port = await listen();
    await new Promise((resolve) => servers.pop()?.close(resolve));
    await requireFreePorts([{ variable: 'PORT', host, port }]);
    await requireFreePorts([{ variable: 'PORT', host, port }]);
  });

  test('accepts port 0 several times', async () => {
    const any = { variable: 'PORT', host, port: 0 };
    await requireFreePorts([any, any, any]);
  });

  test('refuses all ports in use, naming their variables', async () => {
    const [first, second] = [await listen(), await listen()];
    const { problems } = await refusal(() =>
      requireFreePorts([
        { variable: 'PORT', host, port: first },
        { variable: 'ANY_PORT', host, port: 0 },
        { variable: 'ADMIN_PORT', host, port: second },
      ]),
    );
    expect(problems).toEqual([
      `PORT: port ${first} cannot be used (it is in use); choose another, or 0 for any free one`,
      `ADMIN_PORT: port ${second} cannot be used (it is in use); choose another, or 0 for any free one`,
    ]);
  });

  test('refuses the same port for two variables', async () => {
    const port = await listen();
    await new Promise((resolve) => servers.pop()?.close(resolve));
    const { problems } = await refusal(() =>
      requireFreePorts([
        { variable: 'PORT', host, port },
        { variable: 'ADMIN_PORT', host, port },
      ]),
    );
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^ADMIN_PORT: /);
  });
});
