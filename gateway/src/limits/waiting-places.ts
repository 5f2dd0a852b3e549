/** Bounds the requests that wait for a deletion to complete. They take no place of requests that delete jobs. */
export interface WaitingPlaces {
  /** False when every place is taken. */
  enter(): boolean;
  leave(): void;
}

export function createWaitingPlaces(max: number): WaitingPlaces {
  let taken = 0;
  return {
    enter: () => {
      if (taken >= max) return false;
      taken += 1;
      return true;
    },
    leave: () => void (taken -= 1),
  };
}
