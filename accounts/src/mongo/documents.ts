import { mongo } from 'mongoose';

type Snake<Name extends string> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Tail>}`
  : '';
type StoredName<Name> = Name extends `${infer Time}Ms`
  ? Snake<Time>
  : Name extends string
    ? Snake<Name>
    : never;

/** The document of a value: its names in snake case, and a Date for each time in ms, whose name loses the suffix. */
export type Stored<Value> = Value extends Buffer
  ? Buffer
  : Value extends readonly (infer Item)[]
    ? Stored<Item>[]
    : Value extends object
      ? {
          -readonly [Name in keyof Value as StoredName<Name>]: Name extends `${string}Ms`
            ? Date
            : Stored<Value[Name]>;
        }
      : Value;

/** Leaves out what is undefined. */
export function toStored<Value>(value: Value): Stored<Value> {
  // Casts here and below: the compiler does not follow the conversion of names.
  return convert(value) as Stored<Value>;
}

/** The inverse of `toStored`, for a lean document, which has a Binary for each Buffer. */
export function fromStored<Value>(stored: Stored<Value>): Value {
  return restore(stored) as Value;
}

function convert(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convert);
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  const stored = fields.map(([name, field]) => [
    name.replace(/Ms$/, '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    name.endsWith('Ms') ? new Date(field as number) : convert(field),
  ]);
  return Object.fromEntries(stored);
}

function restore(stored: unknown): unknown {
  // Copies the bytes: the driver's Buffer would keep the whole reply in memory.
  if (stored instanceof mongo.Binary) return Buffer.from(stored.value());
  if (Array.isArray(stored)) return stored.map(restore);
  if (typeof stored !== 'object' || stored === null) return stored;
  const fields = Object.entries(stored).map(([name, field]) => {
    const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return field instanceof Date ? [`${camel}Ms`, field.getTime()] : [camel, restore(field)];
  });
  return Object.fromEntries(fields);
}
