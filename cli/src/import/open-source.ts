import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Io } from '../io.ts';
import type { ByteChunks } from './utf8-text.ts';

/** The bytes of a file or of standard input. */
export interface Source {
  /** Throws a SourceError, or the reason given to `stop`. */
  readonly chunks: ByteChunks;
  /** Undefined if it is not a regular file. */
  readonly sizeBytes: number | undefined;
  bytesRead(): number;
  /** Stops reading; the reader gets `reason`. */
  stop(reason?: Error): void;
}

/** The reason, without the file name and a full stop. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}

/** @throws SourceError when the file does not exist or cannot be read */
export async function openSource(file: string, stdin: Io['stdin']): Promise<Source> {
  const sizeBytes = file === '-' ? undefined : await sizeOf(file);
  const stream = file === '-' ? stdin : openFile(file);
  let bytesRead = 0;
  let stoppedBy: Error | undefined;

  async function* read(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of stream) {
        const bytes = Buffer.from(chunk as Buffer);
        bytesRead += bytes.length;
        yield bytes;
      }
    } catch (error) {
      throw stoppedBy ?? new SourceError(reasonOf(error), { cause: error });
    }
    if (stoppedBy) throw stoppedBy;
  }

  return {
    chunks: read(),
    sizeBytes,
    bytesRead: () => bytesRead,
    stop: (reason) => {
      stoppedBy ??= reason;
      stream.destroy(reason);
    },
  };
}

/** The reader gets an error from the iterator. Without a reader, such as after `stop`, it must not end the process. */
function openFile(file: string) {
  return createReadStream(file).on('error', () => undefined);
}

async function sizeOf(file: string): Promise<number | undefined> {
  try {
    const stats = await stat(file);
    if (stats.isDirectory()) throw new SourceError('it is a directory');
    return stats.isFile() ? stats.size : undefined;
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw new SourceError(reasonOf(error), { cause: error });
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'the file does not exist';
  return code === 'EACCES' || code === 'EPERM' ? 'permission denied' : message;
}
