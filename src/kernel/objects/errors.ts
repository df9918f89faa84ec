import { defineFailures } from '#kernel/errors'

const objectsFailureTable = {
  objects_unavailable: {
    status: 503,
    message: 'The object store is unavailable. Try again shortly.',
    retryable: true,
  },
} as const

/** Creates a failure of the object store. */
export const objectsFailure = defineFailures(objectsFailureTable)
