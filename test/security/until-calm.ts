import type { IdentityServer } from '../http/identity-server.ts'
import { eventually } from '../support/eventually.ts'

/**
 * Waits until no request is refused. The first authorization loads the whole provider, which may keep this process busy
 * for so long that the requests after it are refused.
 */
export async function untilCalm(...servers: readonly Pick<IdentityServer, 'url'>[]): Promise<void> {
  for (const { url } of servers) {
    await fetch(`${url}/oauth/authorize`)
    await eventually(async () => (await fetch(`${url}/session/token`)).status === 200, 100)
  }
}
