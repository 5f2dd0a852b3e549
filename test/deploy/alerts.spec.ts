import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { stringify } from 'yaml';
import { alertCases, type Series } from './alert-cases.ts';
import { alerts, ruleFiles, ruleGroups } from '../operations/monitoring.ts';
import { root } from '../readme/readme.ts';
import { describeWith } from '../servers/describe-with.ts';
import { runCommand } from '../servers/child-process.ts';

const newPath = temporaryFolder();

describeWith('promtool', 'the alert rules', (promtool) => {
  test('are valid rules of Prometheus', async () => {
    const checked = await runCommand(promtool, ['check', 'rules', '--lint-fatal', ...ruleFiles]);
    expect(checked).toContain('SUCCESS');
  });

  test('have a case each', () => {
    expect(Object.keys(alertCases)).toEqual(alerts.map(({ alert }) => alert));
  });

  test.each(alerts)('$alert fires, and does not fire while all is well', async ({ alert, ...rule }) => {
    const { fires, quiet, labels = {}, atMinutes = 60 } = alertCases[alert] ?? { fires: {}, quiet: {} };
    const fired = { exp_labels: { ...labels, ...rule.labels }, exp_annotations: rule.annotations };
    const caseOf = (series: Series, expected: readonly unknown[]) => ({
      interval: '1m',
      input_series: Object.entries(series).map(([name, values]) => ({ series: ofJob(name), values })),
      alert_rule_test: [{ eval_time: `${String(atMinutes)}m`, alertname: alert, exp_alerts: expected }],
    });
    const tests = [
      ...[fires].flat().map((series) => caseOf(series, [fired])),
      ...[quiet].flat().map((series) => caseOf(series, [])),
      // Series of other services don't count.
      ...(rule.expr.includes('absent') ? [] : [fires].flat().map((series) => caseOf(foreign(series), []))),
    ];
    const folder = newPath('promtool');
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'tests.yaml');
    writeFileSync(join(folder, 'rules.yaml'), stringify({ groups: groupsFor(alert, rule.expr) }));
    writeFileSync(file, stringify({ rule_files: ['rules.yaml'], evaluation_interval: '1m', tests }));
    await runCommand(promtool, ['test', 'rules', file]);
  });
});

test('every alert has its runbook, and every runbook its alert', () => {
  const runbooks = readdirSync(join(root, 'docs/runbooks')).map((name) => `docs/runbooks/${name}`);
  expect(alerts.map(({ annotations }) => annotations.runbook).sort()).toEqual(runbooks.sort());
  for (const { alert, annotations } of alerts) {
    const words = alert.replace(/^JobsDelete/, '').replace(/(?<!^)[A-Z]/g, (letter) => `-${letter}`);
    expect(annotations.runbook).toBe(`docs/runbooks/${words.toLowerCase()}.md`);
  }
});

/** Returns the alert's group with the rules that it needs: promtool evaluates every rule of a file in every minute. */
function groupsFor(alert: string, expr: string) {
  return ruleGroups
    .map((group) => ({
      ...group,
      rules: group.rules.filter((rule) =>
        'alert' in rule ? rule.alert === alert : expr.includes(rule.record),
      ),
    }))
    .filter(({ rules }) => rules.length > 0);
}

function foreign(series: Series): Series {
  return Object.fromEntries(
    Object.entries(series).map(([name, values]) => [
      ofJob(name, 'another').replace('namespace="jobs-delete"', 'namespace="another"'),
      values,
    ]),
  );
}

function ofJob(series: string, job = 'jobs-delete'): string {
  if (series.startsWith('kube_') || /[{,]job="/.test(series)) return series;
  const [name = '', labels = ''] = series.split(/[{}]/);
  return `${name}{${[`job="${job}"`, ...(labels === '' ? [] : [labels])].join(',')}}`;
}
