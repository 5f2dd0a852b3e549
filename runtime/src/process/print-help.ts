/**
 * Prints the help of a service that has no arguments, and ends the process, if it is called with `--help`. Refuses every
 * other argument with exit code 2.
 */
export function printHelp(help: string, args: readonly string[] = process.argv.slice(2)): void {
  const [first] = args;
  if (first === undefined) return;
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    process.stdout.write(`${help.trim()}\n`);
    process.exit(0);
  }
  process.stderr.write(`Unknown argument '${first}'. The service takes none. See --help.\n`);
  process.exit(2);
}
