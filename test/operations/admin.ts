import type { HealthReport } from '@jobs-delete/runtime/telemetry/health';
import { send, type HttpAnswer } from '../harness/http-client.ts';
import type { ServeProcess } from '../harness/spawn-serve.ts';

/** A client of the admin port, like orchestrators and Prometheus. */
export interface Admin {
  get(path: string): Promise<HttpAnswer>;
  /** Returns the report and status of /readyz, or undefined if nothing listens. */
  readiness(): Promise<(HealthReport & { readonly status: number }) | undefined>;
  /** Returns the value of each series. Keys are names with labels, as in the text. */
  metrics(): Promise<ReadonlyMap<string, number>>;
}

export function adminAt(port: number | string): Admin {
  const get = (path: string) => send(`http://127.0.0.1:${String(port)}`, { method: 'GET', path });
  return {
    get,
    readiness: async () => {
      const answer = await get('/readyz').catch(() => undefined);
      return answer && { ...(answer.json as HealthReport), status: answer.status };
    },
    metrics: async () => parseMetrics((await get('/metrics')).text),
  };
}

/** Parses metrics, and throws on any deviation from https://prometheus.io/docs/instrumenting/exposition_formats/ */
function parseMetrics(text: string): Map<string, number> {
  const values = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line === '' || /^# (?:HELP|TYPE) [a-z_]\w* \S/.test(line)) continue;
    const [, series = '', value = ''] =
      /^([a-zA-Z_:][\w:]*(?:\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)+\})?) (\S+)$/.exec(line) ?? [];
    const number = Number(value.replace('Inf', 'Infinity'));
    if (series === '' || (Number.isNaN(number) && value !== 'Nan' && value !== 'NaN')) {
      throw new Error(`not a line of metrics: ${line}`);
    }
    if (values.has(series)) throw new Error(`series appears twice: ${series}`);
    values.set(series, number);
  }
  return values;
}

/** Returns the admin client of `serve --json`. Resolves when the service is ready. */
export async function adminOf(serve: ServeProcess): Promise<Admin> {
  await serve.ready;
  const { admin_port } = JSON.parse(serve.stdout()) as { admin_port: number };
  return adminAt(admin_port);
}
