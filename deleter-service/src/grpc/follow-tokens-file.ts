import {
  watchServiceTokens,
  type WatchTokensOptions,
} from '@jobs-delete/runtime/config/watch-service-tokens';
import type { Callers } from './callers.ts';

export interface FollowedCallers {
  readonly callers: Callers;
  readonly stop: () => void;
}

/** Returns callers whose `tokens` change with their file. The roles stay as they are. */
export function followTokensFile(callers: Callers, options: WatchTokensOptions): FollowedCallers {
  const { tokens, tokensFile, roles } = callers;
  if (tokensFile === undefined) return { callers, stop: () => undefined };
  const { current, stop } = watchServiceTokens(tokensFile.path, tokensFile.first, options);
  let ofFile = current();
  let all = [...tokens, ...ofFile];
  const followed = {
    roles,
    /** Another list only after a change: the caller of this getter compares the lists. */
    get tokens() {
      if (ofFile !== current()) {
        ofFile = current();
        all = [...tokens, ...ofFile];
      }
      return all;
    },
  };
  return { callers: followed, stop };
}
