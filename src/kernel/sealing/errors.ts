import { failuresOf } from '#kernel/errors'

/** Why something cannot be sealed, or not be opened again. */
export const sealingFailureTable = {
  secret_missing: {
    status: 409,
    message:
      'Set TUTTI_SECRET to a random text of 32 characters or more, the same for all replicas: without it no secret is stored.',
  },
  secret_wrong: {
    status: 409,
    message:
      'This was sealed with another secret. Set TUTTI_SECRET_PREVIOUS to the TUTTI_SECRET of that time, or store it anew.',
  },
  sealed_damaged: {
    status: 409,
    message: 'What is stored here is not what was sealed here. Store it anew.',
  },
} as const

export const sealingFailure = failuresOf(sealingFailureTable)
