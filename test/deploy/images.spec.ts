import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../readme/readme.ts';

/** How a Dockerfile, a manifest or Compose, and a test name an image. */
const references = [
  /^(?:FROM|ARG NODE_IMAGE=) ?(\S+)/gm,
  /^[ -]*image: *(\S+)$/gm,
  /new GenericContainer\(\s*(['"`\w][^\s),]*)/g,
];
const ofThisBuild = ['jobs-delete', '${NODE_IMAGE}'];

function imagesOf(text: string): readonly string[] {
  return references
    .flatMap((reference) => [...text.matchAll(reference)])
    .map(([, image = '']) => image.replace(/^['"`]|['"`]$/g, ''))
    .filter((image) => !ofThisBuild.includes(image));
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)));
}

const imagesByFile = new Map(
  [...filesIn('deploy'), ...filesIn('test/servers'), 'docker-compose.yml']
    .map((path) => [path, imagesOf(readFileSync(join(root, path), 'utf8'))] as const)
    .filter(([, images]) => images.length > 0),
);
const images = [...imagesByFile.values()].flat();

test('these files name images of others', () => {
  const counts = [...imagesByFile].map(([path, { length }]) => [path, length]);
  expect(Object.fromEntries(counts)).toEqual({
    'deploy/Dockerfile': 1,
    'deploy/kubernetes/overlays/local/kafka.yaml': 1,
    'deploy/kubernetes/overlays/local/mongodb.yaml': 1,
    'docker-compose.yml': 2,
    'test/servers/docker-servers.ts': 2,
  });
});

test('every image of others has a tag and a digest', () => {
  const incomplete = images.filter((image) => !/^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/.test(image));
  expect(incomplete).toEqual([]);
});

test('every file names the same digest of an image', () => {
  const names = new Set(images.map((image) => image.split(/[:@]/)[0]));
  expect(new Set(images).size).toBe(names.size);
});
