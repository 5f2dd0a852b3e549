import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../readme/readme.ts';

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<'summary' | 'runbook', string>>;
}
type Rule = AlertRule | { readonly record: string; readonly expr: string };

export const ruleFiles = ['alerts.yaml', 'audit-alerts.yaml'].map((name) =>
  join(root, 'deploy/monitoring', name),
);

/** The keywords and functions of PromQL, which are not metrics. */
const operators = new Set(['and', 'or', 'unless']);

export const ruleGroups = ruleFiles.flatMap(
  (file) => (parse(readFileSync(file, 'utf8')) as { groups: { rules: Rule[] }[] }).groups,
);
const rules = ruleGroups.flatMap((group) => group.rules);

export const alerts: readonly AlertRule[] = rules.filter((rule) => 'alert' in rule);
const recorded = new Set(rules.flatMap((rule) => ('record' in rule ? [rule.record] : [])));

/** All queries of the dashboard. */
export const dashboardQueries: readonly string[] = findQueries(
  JSON.parse(readFileSync(join(root, 'deploy/monitoring/dashboard.json'), 'utf8')),
);

/** Our metrics in rules and dashboard, without those of Prometheus, kube-state-metrics and recording rules. */
export const metricsAskedFor: ReadonlySet<string> = new Set(
  [...rules.map(({ expr }) => expr), ...dashboardQueries]
    .flatMap(metricsIn)
    .filter((name) => name !== 'up' && !name.startsWith('kube_') && !recorded.has(name)),
);

function findQueries(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    key === 'expr' && typeof child === 'string' ? [child] : findQueries(child),
  );
}

/** Returns the metric names of a query, without strings, selectors, ranges, groupings, numbers and functions. */
function metricsIn(query: string): string[] {
  const bare = query
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}/g, ' ')
    .replace(/\[[^\]]*\]/g, ' ')
    .replace(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, ' ');
  const names = bare.match(/[a-zA-Z_:][\w:]*(?!\w*\s*\()/g) ?? [];
  return names.filter((name) => !operators.has(name));
}
