import { addCallers } from '../support/accounts.ts'
import { openPlatform } from '../support/platform.ts'
import type { TestDatabase } from '../support/test-database.ts'

export interface AnalyticsServer extends AsyncDisposable {
  readonly database: TestDatabase
  /** Reads analytics as a new account. Default: with the permission for analytics. */
  get(query: string, permissions?: readonly string[]): Promise<Response>
}

/** A platform whose history looks back from this moment. */
export async function startAnalyticsServer(now: Date): Promise<AnalyticsServer> {
  const platform = await openPlatform({}, { role: 'api', seed: false, now: () => now })
  const { database, url } = platform
  const callers = await addCallers(database)
  let accounts = 0
  return {
    database,
    async get(query, permissions = ['view workflow analytics']) {
      accounts += 1
      const name = `caller-${accounts}`
      await callers.add(name, permissions)
      return await fetch(`${url}/ai-workflows/api/analytics/flows${query}`, {
        headers: callers.headersOf(name),
      })
    },
    [Symbol.asyncDispose]: () => platform.close(),
  }
}
