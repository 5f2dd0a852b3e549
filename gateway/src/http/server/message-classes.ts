import { IncomingMessage, ServerResponse, type ServerOptions } from 'node:http';
import type { Express } from 'express';

/**
 * Requests and responses that are Express's from their beginning. It makes those of Node its own by
 * `Object.setPrototypeOf`, each of them, and V8 then has no fast way to any of their properties any more: of 222 µs of
 * processor for an empty request, its caller included, that took 105. To set the prototype that is there already
 * changes nothing.
 */
export function messageClasses(
  app: Pick<Express, 'request' | 'response'>,
): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  return {
    IncomingMessage: withPrototype(IncomingMessage, app.request),
    ServerResponse: withPrototype<typeof ServerResponse>(ServerResponse, app.response),
  };
}

/**
 * Node's two are functions that may be called, though they are declared as classes; and a function with a prototype is a
 * class to `new`, though not to TypeScript. `Reflect.construct` would need no cast for the first, but makes objects that
 * are as slow as those that it is to spare.
 */
function withPrototype<Class extends abstract new (value: never) => object>(
  of: Class,
  prototype: object,
): Class {
  function construct(this: object, ...values: unknown[]): void {
    Reflect.apply(of as unknown as () => void, this, values);
  }
  construct.prototype = prototype;
  return construct as unknown as Class;
}
