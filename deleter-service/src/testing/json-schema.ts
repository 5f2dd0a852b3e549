/** The part of JSON Schema that the event schemas use. Any other keyword throws. */
export interface JsonSchema {
  readonly type?: 'object' | 'array' | 'string' | 'integer';
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

const known = 'type required properties items pattern minLength minimum minItems maxItems'.split(' ');
const annotations = ['$schema', '$id', 'title', 'description'];

/** Returns whether the value is valid: https://json-schema.org/draft/2020-12/json-schema-validation */
export function fits(value: unknown, schema: JsonSchema): boolean {
  const unknown = Object.keys(schema).find((word) => !known.includes(word) && !annotations.includes(word));
  if (unknown !== undefined)
    throw new Error(`the keyword ${unknown} is not supported: add it to json-schema.ts`);
  switch (schema.type) {
    case 'object':
      return (
        typeof value === 'object' && value !== null && !Array.isArray(value) && fitsObject(value, schema)
      );
    case 'array':
      return Array.isArray(value) && fitsArray(value, schema);
    case 'string':
      return typeof value === 'string' && fitsString(value, schema);
    case 'integer':
      return Number.isInteger(value) && (value as number) >= (schema.minimum ?? -Infinity);
    case undefined:
    default:
      return true;
  }
}

function fitsObject(value: object, { required = [], properties = {} }: JsonSchema): boolean {
  const fields = new Map(Object.entries(value));
  return (
    required.every((name) => fields.has(name)) &&
    Object.entries(properties).every(([name, schema]) => !fields.has(name) || fits(fields.get(name), schema))
  );
}

function fitsArray(value: readonly unknown[], { items = {}, minItems = 0, maxItems = Infinity }: JsonSchema) {
  return value.length >= minItems && value.length <= maxItems && value.every((item) => fits(item, items));
}

function fitsString(value: string, { pattern = '', minLength = 0 }: JsonSchema): boolean {
  return value.length >= minLength && new RegExp(pattern, 'u').test(value);
}
