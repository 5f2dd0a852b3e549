/** A request of a file for the REST Client extension. */
export interface FileRequest {
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export interface HttpFile {
  /** In their order. A value may use earlier variables and answers. */
  readonly variables: ReadonlyMap<string, string>;
  readonly requests: readonly FileRequest[];
}

/** Reads the parts of the format that the generated file uses. */
export function readHttpFile(text: string): HttpFile {
  const variables = new Map(
    [...text.matchAll(/^@(\w+) =(.*)$/gm)].map(([, name = '', value = '']) => [name, value.trim()]),
  );
  const requests = text.split(/^###$/m).flatMap((block) => readRequest(block.trim()));
  return { variables, requests };
}

function readRequest(block: string): FileRequest[] {
  const name = /^# @name (\w+)$/m.exec(block)?.[1];
  if (name === undefined) return [];
  const [head = '', ...rest] = block.split('\n\n');
  const [line = '', ...headers] = head.split('\n').filter((text) => !text.startsWith('#'));
  const [method = '', url = ''] = line.split(' ');
  return [
    {
      ...{ name, method, url },
      headers: Object.fromEntries(headers.map(readHeader)),
      body: rest.length === 0 ? undefined : rest.join('\n\n'),
    },
  ];
}

function readHeader(line: string): [name: string, value: string] {
  const [name = '', value = ''] = line.split(/: (.*)/s);
  return [name, value];
}
