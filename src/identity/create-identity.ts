import type { Identity, IdentityOptions } from './identity.ts'

/**
 * Creates the identity service. The implementation is imported on call, so that command-line tools do not load the routes.
 * Throws when the database is unreachable.
 */
export async function createIdentity(options: IdentityOptions): Promise<Identity> {
  const identity = await import('./identity.ts')
  return await identity.createIdentity(options)
}
