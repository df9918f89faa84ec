import { defineFailures } from '#kernel/errors'

/** Why a text cannot be encrypted or decrypted. */
export const encryptionFailureTable = {
  secret_missing: {
    status: 409,
    message:
      'Set TUTTI_SECRET to a random text of 32 characters or more, the same for all replicas: secrets cannot be stored without it.',
  },
  secret_wrong: {
    status: 409,
    message:
      'This was encrypted with another secret. Set TUTTI_SECRET_PREVIOUS to the earlier TUTTI_SECRET, or store the value again.',
  },
  sealed_damaged: {
    status: 409,
    message: 'The encrypted value was changed or moved and cannot be decrypted. Store the value again.',
  },
} as const

export const encryptionFailure = defineFailures(encryptionFailureTable)
