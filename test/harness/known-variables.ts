import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../readme/readme.ts';

const sources = [
  'runtime/src/config/storage-url.ts',
  'runtime/src/config/operations-config.ts',
  'runtime/src/tls/certificates.ts',
  'deleter-service/src/store/jobs-mapping.ts',
  'deleter-service/src/grpc/callers.ts',
  'deleter-service/src/config.ts',
  'gateway/src/config.ts',
  'gateway/src/protection-config.ts',
];

/** Every environment variable that the programs read, as their sources have them. */
export function knownVariables(): Set<string> {
  const texts = sources.map((file) => readFileSync(join(root, file), 'utf8'));
  return new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/^ {2,6}([A-Z]+(?:_[A-Z]+)*): /gm)].map(([, name = '']) => name),
    ),
  );
}
