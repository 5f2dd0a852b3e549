import { types } from 'node:util';

/** Restores the Buffers in the results of a thread, which sends each Buffer as a Uint8Array. */
export function withBuffers<Methods extends object>(methods: Methods): Methods {
  const restored = Object.entries(methods).map(([name, method]) => [
    name,
    async (...values: readonly unknown[]) =>
      restore(await (method as (...values: readonly unknown[]) => unknown)(...values)),
  ]);
  return Object.fromEntries(restored) as Methods;
}

/** Copies lists and plain objects, the only values that hold others in a result. */
function restore(value: unknown): unknown {
  if (types.isUint8Array(value)) return Buffer.from(value);
  if (Array.isArray(value)) return value.map(restore);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, restore(member)]));
}
