import { defaultOf, type Variables } from '../config/variables.ts';

/**
 * Prints the help of a service that has no arguments, and ends the process, if it is called with `--help`. Refuses every
 * other argument with exit code 2.
 */
export function printHelp(
  usage: string,
  variables: Variables,
  args: readonly string[] = process.argv.slice(2),
): void {
  const [first] = args;
  if (first === undefined) return;
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    process.stdout.write(`${usage.trim()}\n\nIt takes no arguments. It reads these environment variables:\n`);
    for (const [name, schema] of Object.entries(variables)) {
      const fallback = defaultOf(schema);
      const text = `${schema.description ?? ''}${fallback === undefined ? '' : ` (${fallback})`}`;
      process.stdout.write(`  ${name}\n      ${withoutMarkdown(text)}\n`);
    }
    process.stdout.write('docs/configuration.md explains them.\n');
    process.exit(0);
  }
  process.stderr.write(`Unknown argument '${first}'. The service takes none. See --help.\n`);
  process.exit(2);
}

function withoutMarkdown(text: string): string {
  return text.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('`', '');
}
