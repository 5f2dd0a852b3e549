// Preloaded into the command and its threads. Kills the process before write number DIE_AT_WRITE, counted from the first
// accepted deletion. With fewer writes, exits with code 42 when the events of the deletion are processed.
import { createRequire } from 'node:module';
import { BroadcastChannel, getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';

const Database = createRequire(import.meta.url)('libsql');
const { exec, prepare } = Database.prototype;
const dieAt = Number(process.env.DIE_AT_WRITE);
// Only the main thread can end the process with an exit code.
const processed = new BroadcastChannel('processed');
processed.onmessage = () => process.exit(42);
processed.unref();
if (isMainThread) setEnvironmentData('writes', new Int32Array(new SharedArrayBuffer(4)));
const writes = getEnvironmentData('writes');

function beforeWrite(sql) {
  if (Atomics.load(writes, 0) === 0 && !sql.startsWith('INSERT INTO deletions')) return;
  if (Atomics.add(writes, 0, 1) + 1 === dieAt) process.kill(process.pid, 'SIGKILL');
}

Database.prototype.exec = function (sql) {
  beforeWrite(sql);
  return exec.call(this, sql);
};

Database.prototype.prepare = function (text) {
  const sql = text.trim();
  const statement = prepare.call(this, text);
  const { run } = statement;
  statement.run = function (...values) {
    beforeWrite(sql);
    const result = run.apply(this, values);
    if (Atomics.load(writes, 0) > 0 && sql.startsWith('INSERT INTO offsets')) processed.postMessage('all');
    return result;
  };
  return statement;
};
