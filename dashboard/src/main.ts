import { runService } from '@jobs-delete/runtime/process/run-service';
import { dashboardVariables, readDashboardConfig } from './config.ts';
import { startDashboard } from './start-dashboard.ts';

await runService({
  name: 'dashboard',
  task: 'Serves the pages where people manage keys and allowed domains and see deletions.',
  variables: dashboardVariables,
  readConfig: readDashboardConfig,
  start: startDashboard,
  describe: ({ url, adminPort }) => ({ url, adminPort }),
});
