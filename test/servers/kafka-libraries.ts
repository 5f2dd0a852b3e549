import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cachedFolder } from './cached-folder.ts';
import { runCommand } from './run-command.ts';

const version = '4.2.0';

const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>jobs-delete</groupId>
  <artifactId>test-kafka</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    <dependency>
      <groupId>org.apache.kafka</groupId>
      <artifactId>kafka_2.13</artifactId>
      <version>${version}</version>
    </dependency>
  </dependencies>
</project>
`;

/** Returns the class path of a Kafka broker. Downloads it at first use. Throws if Java or Maven is missing. */
export async function kafkaClassPath(): Promise<string> {
  await runCommand('java', ['-version']);
  return join(await cachedFolder(`kafka-${version}`, download), '*');
}

async function download(folder: string): Promise<void> {
  const pomFile = join(folder, 'pom.xml');
  await writeFile(pomFile, pom);
  await runCommand('mvn', [
    ...['--batch-mode', '--quiet', '--file', pomFile],
    ...['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${folder}`],
  ]);
  await rm(pomFile);
}
