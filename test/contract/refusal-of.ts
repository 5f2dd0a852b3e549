import { StartupError } from '@jobs-delete/runtime/startup-error';

/** Returns the operator's error message. Throws if the opening succeeds. */
export async function refusalOf(opening: Promise<{ close(): Promise<void> }>): Promise<string> {
  try {
    await (await opening).close();
  } catch (error) {
    if (error instanceof StartupError) return error.message;
    throw error;
  }
  throw new Error('the opening succeeded');
}
