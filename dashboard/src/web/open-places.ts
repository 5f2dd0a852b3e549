import { createPlacesByKey } from '@jobs-delete/runtime/places-by-key';

/** The bounds of answers that stay open. */
export interface OpenLimits {
  readonly perPerson: number;
  readonly perProcess: number;
}

export interface OpenPlaces {
  /** False when the person, or the process, has too many open answers. */
  enter(personId: string): boolean;
  leave(personId: string): void;
}

const everybody = '';

export function createOpenPlaces({ perPerson, perProcess }: OpenLimits): OpenPlaces {
  const ofPerson = createPlacesByKey(perPerson);
  const ofProcess = createPlacesByKey(perProcess);
  return {
    enter: (personId) => {
      if (!ofPerson.enter(personId)) return false;
      if (ofProcess.enter(everybody)) return true;
      ofPerson.leave(personId);
      return false;
    },
    leave: (personId) => {
      ofPerson.leave(personId);
      ofProcess.leave(everybody);
    },
  };
}
