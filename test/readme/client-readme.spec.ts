import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import ts from 'typescript';
import { useService } from '../harness/use-service.ts';
import { codeBlocks, readDocument, root } from './readme.ts';

const service = useService();

test('the example of the client’s README deletes two jobs', async () => {
  const { token, secretKey, origin } = await service.operator.createAccount('shop');
  await service.operator.importJobs('shop', ['NURSE001', 'NURSE002']);
  const [example = ''] = codeBlocks('ts', readDocument('client/README.md'));
  const program = example
    .replace('http://localhost:8080', service.baseUrl)
    .replace('https://example.com', origin);
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: root,
    env: { JOBS_DELETE_TOKEN: token, JOBS_DELETE_SECRET_KEY: secretKey },
  });
  expect(stdout).toBe('2 []\n');
});

test('the example of the client’s README compiles under `strict`', () => {
  const [example = ''] = codeBlocks('ts', readDocument('client/README.md'));
  const file = join(root, 'client/readme-example.ts');
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (path) => path === file || fileExists(path);
  host.getSourceFile = (path, target) =>
    path === file ? ts.createSourceFile(path, example, target) : getSourceFile(path, target);
  const program = ts.createProgram([file], options, host);
  const faults = ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText);
  expect(faults).toEqual([]);
});
