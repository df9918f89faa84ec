import type { FastifyRequest } from 'fastify'
import { Failure, kernelFailure } from '#kernel/errors'

/**
 * For the routes of this interface: whoever sends no credential lacks a permission, as anybody without it does. A
 * credential that cannot be read stays what it is.
 */
export function tellPermission(error: unknown, { headers }: FastifyRequest): never {
  const sentNone = headers.authorization === undefined
  if (sentNone && error instanceof Failure && error.code === 'authentication_required') {
    throw kernelFailure('permission_denied', {
      message: `You need a permission for this. ${error.message}`,
      cause: error,
    })
  }
  throw error
}
