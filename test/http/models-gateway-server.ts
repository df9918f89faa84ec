import { randomUUID } from 'node:crypto'
import { closeHttpServer, type HttpServer } from '#kernel/http'
import { createLogger } from '#kernel/telemetry'
import type { ModelPrice } from '../../src/models/prices/price.ts'
import type { ModelProvider } from '../../src/models/providers/provider.ts'
import { addAccountWithKey, type NewKey, type NewKeyOptions } from '../support/accounts.ts'
import { openPlatform } from '../support/platform.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

export type { NewKey } from '../support/accounts.ts'

export interface GatewayServerOptions {
  readonly providers: readonly ModelProvider[]
  /** The prices that an operator has set, by model. */
  readonly prices?: Readonly<Record<string, ModelPrice>>
  readonly environment?: Readonly<Record<string, string>>
  readonly heartbeatMs?: number
  readonly gatewayId?: string
  /** The database of another replica. Default: one of its own. */
  readonly database?: TestDatabase
}

interface PostOptions {
  readonly key?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export interface GatewayServer extends AsyncDisposable {
  readonly url: string
  readonly metricsUrl: string
  readonly app: HttpServer
  readonly database: TestDatabase
  readonly gatewayId: string
  /** The log, one JSON text for each line. */
  readonly logged: readonly string[]
  /** The key of an account without roles, which requests use unless they name another. */
  readonly key: string
  readonly accountId: string
  /** Adds an account with a key. */
  addKey(options?: NewKeyOptions): Promise<NewKey>
  /** Sends JSON, unless the body is a string already. */
  post(path: string, body: unknown, options?: PostOptions): Promise<Response>
  get(path: string, options?: PostOptions): Promise<Response>
  close(graceMs?: number): Promise<void>
}

/** A platform whose models come from the providers of a test. */
export async function startGatewayServer(options: GatewayServerOptions): Promise<GatewayServer> {
  await using opening = new AsyncDisposableStack()
  const { providers, prices = {}, heartbeatMs = 15_000, gatewayId = randomUUID() } = options
  const logged: string[] = []
  const log = createLogger({
    level: 'debug',
    format: 'json',
    destination: { write: (line: string) => void logged.push(line) },
  })
  const database = options.database ?? opening.use(await createTestDatabase())
  await setPrices(database, providers, prices)
  const platform = opening.use(
    await openPlatform(
      { TRUSTED_PROXIES: '127.0.0.1', MODEL_BODY_LIMIT: '8388608', ...options.environment },
      { role: 'api', seed: false, database, log, models: { providers, heartbeatMs, gatewayId } },
    ),
  )
  const { url, app, metricsUrl } = platform
  if (app === undefined) throw new Error('the role api has a server')
  const { key, accountId } = await addAccountWithKey(database)
  let closing: Promise<void> | undefined
  const close = (graceMs = 1000) => (closing ??= closeHttpServer(app, graceMs))
  opening.defer(() => close())
  const opened = opening.move()

  const send = (method: string, path: string, given: PostOptions, body?: string) =>
    fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${given.key ?? key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...given.headers,
      },
      ...(body !== undefined && { body }),
      ...(given.signal !== undefined && { signal: given.signal }),
    })
  return {
    url,
    metricsUrl,
    app,
    database,
    gatewayId,
    logged,
    key,
    accountId,
    addKey: (wanted) => addAccountWithKey(database, wanted),
    post: (path, body, given = {}) =>
      send('POST', path, given, typeof body === 'string' ? body : JSON.stringify(body)),
    get: (path, given = {}) => send('GET', path, given),
    close,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function setPrices(
  database: TestDatabase,
  providers: readonly ModelProvider[],
  given: Readonly<Record<string, ModelPrice>>,
): Promise<void> {
  for (const provider of providers) {
    for (const { id } of await provider.list()) {
      const price = given[id]
      if (price?.source !== 'override') continue
      const { input, cachedInput, output } = price.prices
      await database.query(
        'insert into model_prices (provider, model, input, cached_input, output) values ($1, $2, $3, $4, $5)',
        [provider.name, id, input, cachedInput, output],
      )
    }
  }
}
