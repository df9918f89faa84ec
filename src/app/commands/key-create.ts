import { readExpiry } from './expiry.ts'
import { withAdministration } from './with-administration.ts'

export interface CreateKeyOptions {
  readonly user: string
  readonly name: string
  readonly scope?: readonly string[]
  readonly expires?: string
}

/** `tutti key create`: makes an API key. Standard output has the key and nothing else. */
export async function createKey({ user, name, scope, expires }: CreateKeyOptions): Promise<void> {
  const expiresAt = expires === undefined ? null : readExpiry(expires)
  const scopes = scope === undefined || scope.length === 0 ? null : scope
  await withAdministration(async (administration) => {
    const created = await administration.createApiKey({ username: user, name, scopes, expiresAt })
    const reach = scopes === null ? 'everything the account may do' : scopes.join(', ')
    const until = expiresAt === null ? 'until it is revoked' : `until ${writeMoment(expiresAt)}`
    console.error(`An API key of ${created.username} for ${reach}, ${until}.`)
    console.error('It is shown only this once.')
    console.log(created.key)
  })
}

function writeMoment(moment: Date): string {
  return `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
