import { Command } from 'commander';
import { readCliConfig } from '../config.ts';
import type { Io } from '../io.ts';
import { Refusal } from '../refusal.ts';
import { report, type ReportOptions } from '../report.ts';
import { examples, subcommand } from './options.ts';

interface CreateOptions extends ReportOptions {
  readonly dryRun?: boolean;
}

export function indexesCommand(io: Io): Command {
  return new Command('indexes').description('the indexes in MongoDB').addCommand(createCommand(io));
}

function createCommand(io: Io): Command {
  return subcommand('create', 'create missing indexes; existing ones are not changed')
    .option('--dry-run', 'only list missing indexes')
    .addHelpText('after', examples('jobs-delete indexes create --dry-run', 'jobs-delete indexes create'))
    .action(async (options: CreateOptions) => {
      const { database, accountsDatabase, jobsMapping } = readCliConfig(io.env);
      if (database.kind === 'sqlite' || accountsDatabase.kind === 'sqlite')
        throw new Refusal('An SQLite database has its indexes already. For MongoDB, set DATABASE_URL.');
      const { openMongo } = await import('@jobs-delete/runtime/mongo/open-mongo');
      const { createIndexes, reportIndexes } = await import('@jobs-delete/runtime/mongo/mongo-indexes');
      const { mongoIndexes } = await import('@jobs-delete/deleter-service/store/mongo/collections');
      const { mongoAccountsModels } = await import('@jobs-delete/accounts/mongo/mongo-accounts-schema');
      const { mongoRateLimitsModels } = await import('@jobs-delete/gateway/limits/mongo-rate-limiter');

      const connection = await openMongo(database.url);
      const ofAccounts = await openMongo(accountsDatabase.url);
      try {
        const models = [
          ...mongoIndexes(connection, jobsMapping),
          ...mongoAccountsModels(ofAccounts),
          ...mongoRateLimitsModels(ofAccounts),
        ];
        const before = await reportIndexes(models);
        if (options.dryRun !== true) await createIndexes(models);
        const outcomes = before.map(({ collection, index, state }) => ({
          collection,
          index,
          outcome: state === 'present' ? state : options.dryRun === true ? 'missing' : 'created',
        }));
        report(io, options, outcomes, () =>
          outcomes.map(({ collection, index, outcome }) => `${collection}.${index}: ${outcome}`),
        );
      } finally {
        await connection.close();
        await ofAccounts.close();
      }
    });
}
