// Preloaded into a program. Connects to the lines of LINES, `{"port": line's port}`, instead of the servers themselves. The
// clock is wrong by the milliseconds in CLOCK_FILE.
import { readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { env } from 'node:process';
import { setInterval } from 'node:timers';

const { LINES, CLOCK_FILE } = env;
const lines = JSON.parse(LINES);
const { connect } = Socket.prototype;

Socket.prototype.connect = function (...args) {
  const [options] = Array.isArray(args[0]) ? args[0] : args;
  if (options?.port in lines) options.port = lines[options.port];
  return connect.apply(this, args);
};

const SystemDate = Date;
let errorMs = 0;
setInterval(() => (errorMs = Number(readFileSync(CLOCK_FILE, 'utf8'))), 50).unref();

const now = () => SystemDate.now() + errorMs;
globalThis.Date = new Proxy(SystemDate, {
  apply: () => new SystemDate(now()).toString(),
  construct: (target, args, created) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, created),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
