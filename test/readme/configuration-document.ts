import { accountsVariables } from '@jobs-delete/accounts/accounts-config';
import { deleterAccessVariables } from '@jobs-delete/proto/service-tokens';
import { deleterVariables } from '@jobs-delete/deleter-service/config';
import { callersVariables } from '@jobs-delete/deleter-service/grpc/callers';
import { jobsMappingVariables } from '@jobs-delete/deleter-service/store/jobs-mapping';
import { dashboardVariables } from '@jobs-delete/dashboard/config';
import { gatewayVariables, protectionVariables } from '@jobs-delete/gateway/config';
import { operationsVariables } from '@jobs-delete/runtime/config/operations-config';
import { trialSecretsVariables } from '@jobs-delete/runtime/config/secrets';
import { defaultOf, isSecret, type Variables } from '@jobs-delete/runtime/config/variables';
import { cliVariables, programVariables } from 'jobs-delete/config';
import { callerVariables } from 'jobs-delete/delete/read-caller';

interface Section {
  readonly title: string;
  readonly text?: string;
  readonly variables: Variables;
}

/** A variable is listed in the first section that has it. The last sections have all variables of each program. */
const sections: readonly Section[] = [
  {
    title: 'Storage',
    variables: { ...accountsVariables, ...trialSecretsVariables, ...jobsMappingVariables },
  },
  { title: 'Operation', text: operationText(), variables: operationsVariables },
  {
    title: 'Protection',
    text: '[operations.md](operations.md#limits) describes how the limits work.',
    variables: protectionVariables,
  },
  {
    title: 'Between the services',
    text: '[internal-callers.md](internal-callers.md) describes callers, tokens and certificates.',
    variables: { ...deleterAccessVariables, ...callersVariables },
  },
  { title: 'Deleter service', variables: deleterVariables },
  { title: 'Public API', variables: gatewayVariables },
  { title: 'Dashboard', variables: dashboardVariables },
  { title: 'Commands', variables: cliVariables },
  {
    title: 'Callers',
    text:
      'Options and the profile of `jobs-delete delete` and `jobs-delete sync` have the same values. [command-line.md](command-line.md#credentials) describes\n' +
      'them.',
    variables: callerVariables,
  },
];

/** @returns docs/configuration.md */
export function configurationDocument(): string {
  const listed = new Set<string>();
  const parts = sections.flatMap(({ title, text, variables }) => {
    const rows = Object.entries(variables).filter(([name]) => !listed.has(name));
    for (const [name] of rows) listed.add(name);
    if (rows.length === 0) return [];
    return [`## ${title}`, ...(text === undefined ? [] : [text]), table(rows.map(row))];
  });
  return `${[head(), ...parts].join('\n\n')}\n`;
}

function head(): string {
  const secrets = sections.flatMap(({ variables }) =>
    Object.entries(variables).flatMap(([name, schema]) => (isSecret(schema) ? [`\`${name}\``] : [])),
  );
  return `# Configuration

<!-- \`npm run generate\` writes this file from the declarations of the variables. -->

Every program reads its configuration from environment variables. At start it reports all wrong variables together and ends
with exit code 2. An empty variable counts as not set. A variable that looks misspelt, such as \`DATADIR\`, causes a warning.
[production.md](production.md) explains which ones a production installation needs.

\`deleter\` is every process of the deleter service: api, relay and worker. \`command\` is every \`jobs-delete\` command except
\`delete\` and \`serve\`. \`serve\` runs gateway, deleter and dashboard in one process and reads their variables.

## Secrets in files

A secret may be in a file, as Docker and Kubernetes mount it: \`NAME_FILE\` is its path. Set the variable or its file, not both. The
line break at the end does not count. Files are read at the start only, except that of \`GRPC_SERVICE_TOKENS\`. The secrets are
${[...new Set(secrets)].join(', ')}.`;
}

function operationText(): string {
  return `For traces, [every other \`OTEL_*\` variable](https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/)
works as OpenTelemetry defines it: service name, sampler, headers, limits.`;
}

function row([name, schema]: readonly [string, Variables[string]]): readonly string[] {
  if (schema.description === undefined) throw new Error(`${name} has no description`);
  return [`\`${name}\``, defaultOf(schema) ?? '', readersOf(name, schema), schema.description];
}

/** Throws if two programs declare a variable differently. */
function readersOf(name: string, schema: Variables[string]): string {
  const programs = Object.entries<Variables>(programVariables).filter(([, variables]) => name in variables);
  for (const [program, variables] of programs)
    if (variables[name] !== schema) throw new Error(`${program} declares ${name} for itself`);
  return programs.map(([program]) => program).join(', ');
}

/** Aligns the columns like Prettier. */
function table(rows: readonly (readonly string[])[]): string {
  const head = ['Variable', 'Default', 'Read by', 'Meaning'];
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
