import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import express from 'express';
import { messageClasses } from './message-classes.ts';

test('requests and responses have Express’s prototypes before Express sets them', async () => {
  const app = express();
  app.get('/', (request, response) => {
    response.json({ path: request.path });
  });
  const born: unknown[] = [];
  const server = createServer(messageClasses(app), (request, response) => {
    born.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
    expect(request).toBeInstanceOf(IncomingMessage);
    expect(response).toBeInstanceOf(ServerResponse);
    app(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const answer = await fetch(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`);
    expect(await answer.json()).toEqual({ path: '/' });
    expect(born[0]).toBe(app.request);
    expect(born[1]).toBe(app.response);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
