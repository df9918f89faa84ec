import type { Identity, IdentityOptions } from './identity.ts'

/** Everything about who somebody is. Loaded with its routes when it is created: the terminal's commands do without them. */
export async function createIdentity(options: IdentityOptions): Promise<Identity> {
  const identity = await import('./identity.ts')
  return await identity.createIdentity(options)
}
