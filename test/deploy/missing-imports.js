// Prints, as JSON, the imports that Node does not find for the scripts in its arguments: missing modules and missing names.
// jest finds more than Node: it also reads names from CommonJS packages that Node cannot read.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const imports = /^(?:import|export) (?:[^'"`;]* from )?'([^']+)';|\bimport\('([^']+)'\)/gm;
const scripts = process.argv.slice(2);

const missing = scripts.flatMap((script) => {
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

/** An import of these would run the program. */
const isProgram = (script) => /\/(?:bin\/jobs-delete|(?:caller-)?main|sqlite-thread)\.js$/.test(script);
for (const script of scripts.filter((script) => !isProgram(script))) {
  try {
    await import(pathToFileURL(script).href);
  } catch (error) {
    missing.push(`${script}: ${error.message}`);
  }
}
process.stdout.write(JSON.stringify(missing));
