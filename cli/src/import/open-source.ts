import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Io } from '../io.ts';
import type { ByteChunks } from './utf8-chunks.ts';

/** A file or standard input as bytes. */
export interface Source {
  /** May end by throwing a SourceError, or what `stop` was given. */
  readonly chunks: ByteChunks;
  /** Undefined for what is no regular file. */
  readonly sizeBytes: number | undefined;
  bytesRead(): number;
  /** Ends the reading; `reason` is then thrown to who is reading. */
  stop(reason?: Error): void;
}

/** The message says why, without the file's name and without a full stop. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}

/** @throws SourceError when there is no such file, or it can't be read */
export async function openSource(file: string, stdin: Io['stdin']): Promise<Source> {
  const sizeBytes = file === '-' ? undefined : await sizeOf(file);
  const stream = file === '-' ? stdin : createReadStream(file);
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

async function sizeOf(file: string): Promise<number | undefined> {
  try {
    const stats = await stat(file);
    if (stats.isDirectory()) throw new SourceError('it is a folder');
    return stats.isFile() ? stats.size : undefined;
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw new SourceError(reasonOf(error), { cause: error });
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'there is no such file';
  return code === 'EACCES' || code === 'EPERM' ? 'the file may not be read' : message;
}
