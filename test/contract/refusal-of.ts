import { StartupError } from '@jobs-delete/runtime/startup-error';

/** Why opening it was refused, in the words for an operator. */
export async function refusalOf(opening: Promise<{ close(): Promise<void> }>): Promise<string> {
  try {
    await (await opening).close();
  } catch (error) {
    if (error instanceof StartupError) return error.message;
    throw error;
  }
  throw new Error('it was not refused');
}
