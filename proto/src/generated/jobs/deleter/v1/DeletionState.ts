// Original file: jobs/deleter/v1/deleter.proto

export const DeletionState = {
  DELETION_STATE_UNSPECIFIED: 'DELETION_STATE_UNSPECIFIED',
  DELETION_STATE_ACCEPTED: 'DELETION_STATE_ACCEPTED',
  DELETION_STATE_PUBLISHED: 'DELETION_STATE_PUBLISHED',
  DELETION_STATE_COMPLETED: 'DELETION_STATE_COMPLETED',
} as const;

export type DeletionState =
  | 'DELETION_STATE_UNSPECIFIED'
  | 0
  | 'DELETION_STATE_ACCEPTED'
  | 1
  | 'DELETION_STATE_PUBLISHED'
  | 2
  | 'DELETION_STATE_COMPLETED'
  | 3

export type DeletionState__Output = typeof DeletionState[keyof typeof DeletionState]
