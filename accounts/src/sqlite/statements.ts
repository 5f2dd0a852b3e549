import { types } from 'node:util';
import type { Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';

/** The methods of a port as functions that return at once. */
export type Calls<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends (...values: infer Values) => Promise<infer Result>
    ? (...values: Values) => Result
    : never;
};

type Value = string | number | Uint8Array | null | undefined;

export type Statements = ReturnType<typeof createStatements>;

/**
 * Prepares each statement once. A column such as `created_at_ms` is the field `createdAtMs` of a row; null is an absent
 * field. Parameters are arrays: libsql takes a single object, such as a Buffer or null, for named parameters, and crashes.
 */
export function createStatements(database: Sqlite) {
  const prepared = new Map<string, { statement: ReturnType<Sqlite['prepare']>; fields: readonly string[] }>();
  const prepare = (sql: string) => {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    const isRead = sql.trimStart().startsWith('SELECT');
    const fields = isRead ? statement.raw().columns().map(fieldOf) : [];
    const added = { statement, fields };
    prepared.set(sql, added);
    return added;
  };
  const run = (sql: string, ...values: readonly Value[]) =>
    prepare(sql).statement.run(values.map(toColumn)).changes;
  /** The caller knows the columns of its statement. */
  const all = <Row>(sql: string, ...values: readonly Value[]): Row[] => {
    const { statement, fields } = prepare(sql);
    return (statement.all(values.map(toColumn)) as unknown[][]).map((row) => {
      const entries = row.map((value, index) => [fields[index], value] as const);
      return Object.fromEntries(entries.filter(([, value]) => value !== null)) as Row;
    });
  };
  const transaction = database.transaction((work: () => unknown) => work());
  return {
    /** Returns the number of changed rows. */
    run,
    all,
    // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- as for `all`
    get: <Row>(sql: string, ...values: readonly Value[]): Row | undefined => all<Row>(sql, ...values)[0],
    insert: (table: string, fields: Readonly<Record<string, Value>>) => {
      const names = Object.keys(fields).map((name) =>
        name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      );
      const marks = names.map(() => '?').join(', ');
      run(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks})`, ...Object.values(fields));
    },
    /** Runs reads on one snapshot: another process may write between two statements. */
    read: <Result>(work: () => Result) => transaction(work) as Result,
    /** Runs a transaction that nothing can interrupt. */
    write: <Result>(work: () => Result) => transaction.immediate(work) as Result,
  };
}

function fieldOf({ name }: { readonly name: string }): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** A thread gets a Buffer as a Uint8Array. */
function toColumn(value: Value) {
  return types.isUint8Array(value) ? Buffer.from(value) : (value ?? null);
}
