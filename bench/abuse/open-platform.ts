import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type Database, migrate } from '#kernel/database'
import { migrationSets } from '../../src/app/migrations.ts'
import { addAccountWithKey, addRole } from '../../test/support/accounts.ts'
import { openBenchDatabase, quiet } from '../embedded-database.ts'
import { launcherFlags } from '../launcher-flags.ts'

/** A platform with a database of its own, for one kind of abuse. */
export interface AbusePlatform extends AsyncDisposable {
  readonly database: Database
  readonly url: string
  /** The services that flows and the gateway call. */
  readonly servicesUrl: string
  readonly abuser: Account
  readonly addAccount: () => Promise<Account>
}

export interface Caller {
  /** Throws `RequestRefused` for 429 and 503, and another error for any other failure. */
  readonly call: (path: string, body?: object, signal?: AbortSignal) => Promise<Response>
}

export interface Account extends Caller {
  readonly accountId: string
  readonly key: string
  /** Saves a flow with these steps. */
  readonly saveFlow: (id: string, ...steps: readonly object[]) => Promise<unknown>
}

export class RequestRefused extends Error {}

export async function openPlatform(
  servicesUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<AbusePlatform> {
  await using closing = new AsyncDisposableStack()
  const { database, url: databaseUrl } = closing.use(await openBenchDatabase())
  await migrate(database, migrationSets, quiet)
  await addRole(database, 'bench', ['run workflows', 'manage workflows'])
  const [, { url }] = await startChild<{ url: string }>(
    closing,
    new URL('./server-process.ts', import.meta.url),
    {
      DATABASE_URL: databaseUrl,
      TUTTI_SECRET: 'a secret that only this benchmark knows',
      TUTTI_OUTBOUND_ALLOW: '127.0.0.1',
      OPENAI_BASE_URL: `${servicesUrl}/v1`,
      // Limits of the tier far above what the accounts reach: they are not what protects the normal account.
      TUTTI_CUSTOM_TIER: '100000000,1000,1000',
      ...settings,
    },
    launcherFlags,
  )
  const addAccount = async () => openAccount(url, await addAccountWithKey(database, { roles: ['bench'] }))
  const abuser = await addAccount()
  const opened = closing.move()
  return {
    database,
    url,
    servicesUrl,
    abuser,
    addAccount,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

function openAccount(url: string, { key, accountId }: { key: string; accountId: string }): Account {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }

  async function call(path: string, body?: object, signal: AbortSignal | null = null): Promise<Response> {
    const post = body && { method: 'POST', body: JSON.stringify(body) }
    const response = await fetch(url + path, { headers, signal, ...post })
    if (response.ok) return response
    const text = `${path}: ${response.status} ${(await response.text()).slice(0, 500)}`
    throw response.status === 429 || response.status === 503 ? new RequestRefused(text) : new Error(text)
  }

  return {
    accountId,
    key,
    call,
    saveFlow: (id, ...steps) =>
      call('/ai-workflows/api/flows', { flow_definition: { id, label: id, steps } }),
  }
}

/** Starts a process that ends with the stack, and waits for its first message. */
export async function startChild<Said>(
  closing: AsyncDisposableStack,
  file: URL,
  env: Readonly<Record<string, string>> = {},
  execArgv: readonly string[] = [],
): Promise<[ChildProcess, Said]> {
  const child = fork(file, { execArgv: [...execArgv], env: { ...process.env, ...env } })
  const exited = once(child, 'exit')
  closing.defer(async () => {
    child.kill()
    await exited
  })
  const [said] = (await Promise.race([
    once(child, 'message'),
    exited.then(([code]) => Promise.reject(new Error(`${file.pathname} ended with ${String(code)}`))),
  ])) as [Said]
  return [child, said]
}
