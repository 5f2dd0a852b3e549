import { setImmediate } from 'node:timers/promises';
import { Unzip, UnzipInflate, type UnzipFile } from 'fflate';
import type { SaxesParser } from 'saxes';
import { Refused } from './xml-ids.ts';

const maxEntries = 100;
/** The size of all parts together, counted while they are unpacked: the sizes that an archive states may be wrong. */
const maxUnpackedBytes = 20_000_000;
/** Packed bytes of one step. DEFLATE makes at most a thousand times as many of them. */
const stepBytes = 4_096;
/** Unpacked bytes that are parsed in one step. */
const parsedBytes = 65_536;
/** After this time, other requests are served. */
const turnMs = 10;

/** The parts of a workbook: XML files in a ZIP archive. */
export interface Workbook {
  /**
   * Unpacks one part and no other, and parses it meanwhile. Returns false for a workbook without the part.
   * @throws Refused
   */
  parse(name: string, parser: SaxesParser): Promise<boolean>;
}

/** Opens an archive in memory. Each call of `parse` walks through it again. */
export function openWorkbook(archive: Uint8Array): Workbook {
  let unpackedBytes = 0;
  return {
    parse: async (name, parser) => {
      const unpacked: Uint8Array[] = [];
      const state = { entries: 0, isFound: false };
      const begin = (entry: UnzipFile) => {
        state.isFound = true;
        entry.ondata = (error, bytes) => {
          // Also what this function has thrown before.
          if (error !== null) throw error;
          unpackedBytes += bytes.length;
          if (unpackedBytes > maxUnpackedBytes) throw new Refused();
          unpacked.push(bytes);
        };
        entry.start();
      };
      const unzip = new Unzip((entry) => {
        state.entries += 1;
        if (state.entries > maxEntries) throw new Refused();
        if (entry.name === name) begin(entry);
      });
      unzip.register(UnzipInflate);

      const decoder = new TextDecoder('utf-8', { fatal: true });
      const pause = createPause();
      try {
        for (const [step, isLast] of steps(archive, stepBytes)) {
          unzip.push(step, isLast);
          for (const bytes of unpacked.splice(0))
            for (const [part] of steps(bytes, parsedBytes)) {
              parser.write(decoder.decode(part, { stream: true }));
              await pause();
            }
          await pause();
        }
        if (!state.isFound) return false;
        // Refuses a part that is cut off, and two parts with one name: they are no XML document.
        parser.write(decoder.decode()).close();
        return true;
      } catch (error) {
        throw isOfFile(error) ? new Refused() : error;
      }
    },
  };
}

function* steps(bytes: Uint8Array, size: number): Generator<readonly [step: Uint8Array, isLast: boolean]> {
  for (let from = 0; from < bytes.length; from += size)
    yield [bytes.subarray(from, from + size), from + size >= bytes.length];
}

/** Returns a function that serves other requests if this one has run for `turnMs`. */
function createPause(): () => Promise<void> | undefined {
  let sinceMs = performance.now();
  return () => {
    if (performance.now() - sinceMs < turnMs) return undefined;
    return setImmediate().then(() => {
      sinceMs = performance.now();
    });
  };
}

/** An error of fflate, or of the decoder for text that is not in UTF-8. */
function isOfFile(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('code' in error)) return false;
  return typeof error.code === 'number' || error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
}
