import { constants } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import type { OperationsConfig, LogLevel } from '../config/operations-config.ts';
import { defaultOf, warnOfUnknownVariables, type Variables } from '../config/variables.ts';
import { Fault } from '../fault.ts';
import { StartupError } from '../startup-error.ts';
import { createLogger, type Logger } from '../telemetry/logger.ts';
import { withServiceContext, type ServiceContext } from './service-context.ts';

/** The program of one container. */
export interface Service<Config, Running> {
  /** The workspace; also the name in logs and traces. */
  readonly name: 'gateway' | 'deleter-service' | 'dashboard';
  /** A sentence for `--help`. */
  readonly task: string;
  readonly variables: Variables;
  readonly readConfig: (env: NodeJS.ProcessEnv) => Config;
  readonly start: (config: Config, log: Logger, context: ServiceContext) => Promise<Running>;
  /** Returns what the log says of the service once it is ready. */
  readonly describe: (running: Running & { readonly adminPort: number }, config: Config) => object;
}

/** Runs a service, with its admin server, until a signal. */
export async function runService<
  Config extends { readonly logLevel: LogLevel; readonly operations: OperationsConfig },
  Running extends { stop(): Promise<void> },
>(service: Service<Config, Running>): Promise<void> {
  printHelp(service);
  await runUntilSignal(
    async () => {
      const config = service.readConfig(process.env);
      const log = createLogger(config.logLevel, service.name);
      warnOfUnknownVariables(process.env, service.variables, log);
      const running = await withServiceContext(config.operations, log, (context) =>
        service.start(config, log, context),
      );
      return { running, config, log, stop: running.stop };
    },
    ({ running, config, log }) => log.info(service.describe(running, config), `${service.name} is ready`),
  );
}

/**
 * Starts a service, runs it until SIGTERM or SIGINT, and stops it. A second signal ends the process at once.
 * Prints a failed start on stderr and exits with the error's code.
 * @param announce called when the service runs and a signal would stop it cleanly
 */
export async function runUntilSignal<Running extends { stop(): Promise<void> }>(
  start: () => Promise<Running>,
  announce?: (running: Running) => void,
): Promise<void> {
  // Collects garbage when the heap is 1.5 times as large as after the last collection, not 4 times. Most of the memory after
  // requests of 10,000 ids is garbage. NODE_OPTIONS does not allow this flag.
  setFlagsFromString('--heap-growing-percent=50');
  let running: Running | undefined;
  let stopping = false;
  // Registered before the start, which may wait for a minute: process 1 of a container ignores signals without
  // a handler. During the start there is nothing to finish.
  const onSignal = (signal: NodeJS.Signals) => {
    if (stopping || running === undefined) process.exit(128 + constants.signals[signal]);
    stopping = true;
    void running.stop().then(() => process.exit(0));
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  try {
    running = await start();
    announce?.(running);
  } catch (error) {
    exitWith(error);
  }
}

/** Prints the error and ends the process. Only a defect is printed with its stack. */
function exitWith(error: unknown): never {
  if (error instanceof StartupError) exitWithMessage(error.message, error.exitCode);
  if (error instanceof Fault && error.code !== 'internal')
    exitWithMessage(`Cannot start: ${error.message}`, 1);
  exitWithMessage(String(error instanceof Error ? error.stack : error), 70);
}

function exitWithMessage(text: string, exitCode: number): never {
  process.stderr.write(`${text}\n`);
  process.exit(exitCode);
}

/**
 * Prints the help of the service, and ends the process, if it is called with `--help`. Refuses every other argument with
 * exit code 2.
 */
function printHelp({
  name,
  task,
  variables,
}: Pick<Service<never, never>, 'name' | 'task' | 'variables'>): void {
  const args = process.argv.slice(2);
  const [first] = args;
  if (first === undefined) return;
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    process.stdout.write(`Usage: node ${name}/dist/main.js\n\n${task} Ends on SIGTERM or SIGINT.\n\n`);
    process.stdout.write('It takes no arguments. It reads these environment variables:\n');
    for (const [variable, schema] of Object.entries(variables)) {
      const fallback = defaultOf(schema);
      const text = `${schema.description ?? ''}${fallback === undefined ? '' : ` (${fallback})`}`;
      process.stdout.write(`  ${variable}\n      ${withoutMarkdown(text)}\n`);
    }
    process.stdout.write('docs/configuration.md explains them.\n');
    process.exit(0);
  }
  exitWithMessage(`Unknown argument '${first}'. The service takes none. See --help.`, 2);
}

function withoutMarkdown(text: string): string {
  return text.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('`', '');
}
