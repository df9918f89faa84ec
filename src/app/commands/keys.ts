import { readExpiry } from './expiry.ts'
import { withAdministration } from './with-administration.ts'

export interface CreateKeyOptions {
  readonly user: string
  readonly name: string
  readonly scope?: readonly string[]
  readonly expires?: string
}

/** `tutti key create`: creates an API key. Standard output contains the key and nothing else. */
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

/** `tutti key rotate`: replaces the key that signs access tokens. */
export async function rotateKey({
  distrustOld = false,
}: {
  readonly distrustOld?: true | false
}): Promise<void> {
  await withAdministration(async (administration) => {
    const { kid, signsFrom } = await administration.rotateSigningKey({ distrustOld })
    console.error(`The new signing key is ${kid}.`)
    const lines = distrustOld
      ? [
          'It signs from now on. Every access token issued before is refused.',
          'Refresh tokens, sessions and API keys still work: clients refresh and go on.',
        ]
      : [
          `It is published now and signs from ${signsFrom.toISOString().slice(11, 16)} UTC on.`,
          'Access tokens signed before then stay valid until they expire.',
        ]
    for (const line of lines) console.error(line)
  })
}
