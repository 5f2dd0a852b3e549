import { readGatewayConfig } from '@jobs-delete/gateway/config';
import { openapiDocument } from '@jobs-delete/gateway/http/openapi/openapi-document';
import { configurationDocument } from '../readme/configuration-document.ts';
import { httpFile, postmanCollection } from './request-files.ts';

/** Returns the generated documents, by their paths from the root. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const document = openapiDocument(readGatewayConfig({}));
  return new Map([
    ['docs/configuration.md', configurationDocument()],
    ['docs/openapi.json', json(document)],
    ['docs/jobs-delete.postman_collection.json', json(postmanCollection(document))],
    ['docs/jobs-delete.http', httpFile(document)],
  ]);
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
