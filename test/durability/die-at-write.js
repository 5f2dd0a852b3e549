// Preloaded into the command: kills it right before the write that DIE_AT_WRITE counts, from the first accepted
// deletion on. Where there are fewer, it ends with code 42 once the deletion's events are processed.
import { createRequire } from 'node:module';

const Database = createRequire(import.meta.url)('libsql');
const { exec, prepare } = Database.prototype;
const dieAt = Number(process.env.DIE_AT_WRITE);
let writes = 0;

function beforeWrite(sql) {
  if (writes === 0 && !sql.startsWith('INSERT INTO deletions')) return;
  writes += 1;
  if (writes === dieAt) process.kill(process.pid, 'SIGKILL');
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
    if (writes > 0 && sql.startsWith('INSERT INTO offsets')) process.exit(42);
    return result;
  };
  return statement;
};
