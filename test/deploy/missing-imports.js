// Prints, as JSON, the missing imports of the scripts in its arguments. It resolves them as Node does; jest does not.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const imports = /^(?:import|export) (?:[^'"`;]* from )?'([^']+)';|\bimport\('([^']+)'\)/gm;

const missing = process.argv.slice(2).flatMap((script) => {
  const { resolve } = createRequire(script);
  const isMissing = (name) => {
    try {
      resolve(name);
      return false;
    } catch {
      return true;
    }
  };
  const names = [...readFileSync(script, 'utf8').matchAll(imports)].map(([, fixed, lazy]) => fixed ?? lazy);
  return names.filter(isMissing).map((name) => `${script}: ${name}`);
});
process.stdout.write(JSON.stringify(missing));
