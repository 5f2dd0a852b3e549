import { Fault } from '@jobs-delete/runtime/fault';

export interface Failing<Port> {
  readonly port: Port;
  /** Lets the next calls of the method fail before they change anything. */
  fail(method: keyof Port, times: number): void;
}

/** Wraps a port so that its calls fail on demand. */
export function failing<Port extends object>(port: Port): Failing<Port> {
  const failures = new Map<string, number>();
  const proxied = new Proxy(port, {
    get: (target, name, receiver) => {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof name !== 'string' || typeof method !== 'function') return method;
      return (...values: unknown[]): unknown => {
        const left = failures.get(name) ?? 0;
        if (left === 0) return Reflect.apply(method, target, values);
        failures.set(name, left - 1);
        return Promise.reject(new Fault('unavailable', `${name} fails`));
      };
    },
  });
  return {
    port: proxied,
    fail: (method, times) => void failures.set(String(method), times),
  };
}
