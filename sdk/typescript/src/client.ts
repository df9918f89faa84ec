import createClient, { type FetchOptions, type MaybeOptionalInit } from 'openapi-fetch'
import type {
  FilterKeys,
  HttpMethod,
  PathsWithMethod,
  RequiredKeysOf,
  ResponseObjectMap,
  SuccessResponse,
} from 'openapi-typescript-helpers'
import { errorOf } from './errors.ts'
import { listKeys, pathsWithIdempotencyKey } from './operations.generated.ts'
import { createSend } from './retries.ts'
import type { paths } from './schema.ts'
import { followStream, type StreamEvent } from './streams.ts'

export interface TuttiOptions {
  /** The address of the platform, such as `https://tutti.example.com`. */
  readonly url: string
  /** An API key or an access token, or a function that returns one for each request. */
  readonly apiKey?: string | (() => string | Promise<string>) | undefined
  /** How often a request that failed for a moment is sent again. Default: 2. */
  readonly maxRetries?: number | undefined
  /** How long to wait for a response to begin. Default: 10 minutes, because a synchronous execution responds when it has ended. */
  readonly timeoutMs?: number | undefined
  /** Sends the requests. Default: the `fetch` of the runtime. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
}

/** The options of a call: `params`, `body`, `headers` and `signal`, with the types of its path. */
export type CallOptions<Path extends keyof paths, Method extends HttpMethod> = FetchOptions<
  FilterKeys<paths[Path], Method>
>

type Options<Path extends keyof paths, Method extends HttpMethod> =
  RequiredKeysOf<MaybeOptionalInit<paths[Path], Method & keyof paths[Path]>> extends never
    ? [options?: CallOptions<Path, Method>]
    : [options: CallOptions<Path, Method>]

type BodyOf<Operation> =
  Operation extends Record<string | number, unknown>
    ? SuccessResponse<ResponseObjectMap<Operation>, 'application/json'>
    : never

type Call<Method extends HttpMethod> = <Path extends PathsWithMethod<paths, Method>>(
  path: Path,
  ...options: Options<Path, Method>
) => Promise<BodyOf<paths[Path][Method]>>

type ListPath = keyof typeof listKeys & PathsWithMethod<paths, 'get'>
type EntryOf<Path extends ListPath> =
  BodyOf<paths[Path]['get']> extends infer Body
    ? (typeof listKeys)[Path] extends infer Key
      ? Key extends keyof Body
        ? Body[Key] extends readonly (infer Entry)[]
          ? Entry
          : never
        : never
      : never
    : never

/** A flow to run, as the body of `POST /ai-workflows/api/execute-flow-async`. */
export type FlowRun = NonNullable<CallOptions<'/ai-workflows/api/execute-flow-async', 'post'>['body']>

interface RunOptions {
  /** Called with each event of the execution. */
  readonly onEvent?: ((event: StreamEvent) => void) | undefined
  /** The same key starts a single execution, also when this process ends and calls again. */
  readonly idempotencyKey?: string | undefined
  /** Ends the wait, not the execution. */
  readonly signal?: AbortSignal | undefined
}

/** A connection to a platform. All calls throw a TuttiError unless the response is 2xx, and the reason of their signal. */
export interface Tutti {
  readonly get: Call<'get'>
  readonly post: Call<'post'>
  readonly put: Call<'put'>
  readonly patch: Call<'patch'>
  readonly delete: Call<'delete'>
  /** The entries of a list, page by page as they are needed. */
  list<Path extends ListPath>(path: Path, options?: CallOptions<Path, 'get'>): AsyncGenerator<EntryOf<Path>>
  /** The events of a stream. A stream that is read with GET goes on after a lost connection, without losing or repeating an event. */
  stream<Method extends 'get' | 'post', Path extends PathsWithMethod<paths, Method>>(
    method: Method,
    path: Path,
    ...options: Options<Path, Method>
  ): AsyncGenerator<StreamEvent>
  /** Runs a flow and waits for its end, over restarts of the platform. Also returns executions that failed. */
  runFlow(
    run: FlowRun,
    options?: RunOptions,
  ): Promise<BodyOf<paths['/ai-workflows/api/executions/{execution_id}']['get']>>
}

const pageSize = 100

/** Connects to a platform. Sends nothing before the first call. Throws a TypeError when `url` is no URL. */
export function createTutti(options: TuttiOptions): Tutti {
  const { apiKey, maxRetries = 2, timeoutMs = 600_000, fetch = globalThis.fetch } = options
  const send = createSend({ fetch, maxRetries, timeoutMs })
  const client = createClient<paths>({
    baseUrl: new URL(options.url).href.replace(/\/$/, ''),
    fetch: async (request) => await send(request),
  })
  client.use({
    async onRequest({ request, schemaPath }) {
      const key = typeof apiKey === 'function' ? await apiKey() : apiKey
      if (key !== undefined) request.headers.set('authorization', `Bearer ${key}`)
      const takesKey = request.method === 'POST' && pathsWithIdempotencyKey.has(schemaPath)
      // With a key the request may be repeated when its response was lost.
      if (takesKey && !request.headers.has('idempotency-key'))
        request.headers.set('idempotency-key', crypto.randomUUID())
      return request
    },
    async onResponse({ response }) {
      if (!response.ok) throw await errorOf(response)
    },
  })

  /** openapi-fetch takes the method as a value, but its types cannot follow that. */
  const request = client.request as unknown as (
    method: HttpMethod,
    path: string,
    init: object,
  ) => Promise<{ data: unknown; response: Response }>

  async function call(method: HttpMethod, path: string, init: object = {}): Promise<unknown> {
    const { data } = await request(method, path, init)
    return data
  }

  async function* list(path: ListPath, init: ListInit = {}): AsyncGenerator {
    const key = listKeys[path]
    const given = init.params?.query ?? {}
    const limit = Number(given['limit'] ?? pageSize)
    let query: Readonly<Record<string, unknown>> = { ...given, limit }
    for (let page = Number(given['page'] ?? 1); ; page += 1) {
      const body = (await call('get', path, {
        ...init,
        params: { ...init.params, query: { ...query, page } },
      })) as Readonly<Record<string, unknown>>
      const entries = (body[key] ?? []) as readonly unknown[]
      yield* entries
      if (entries.length < limit) return
      // Later pages show the list as it was, without entries that are repeated because new ones came in between.
      if (body['as_of'] !== undefined) query = { ...query, as_of: body['as_of'] }
    }
  }

  async function* stream(
    method: 'get' | 'post',
    path: string,
    init: { readonly headers?: object; readonly signal?: AbortSignal | null } = {},
  ): AsyncGenerator<StreamEvent> {
    yield* followStream({
      isResumable: method === 'get',
      signal: init.signal ?? new AbortController().signal,
      async open(lastId) {
        const headers = { ...init.headers, ...(lastId !== '' && { 'last-event-id': lastId }) }
        const { response } = await request(method, path, { ...init, headers, parseAs: 'stream' })
        return response
      },
    })
  }

  async function runFlow(
    run: FlowRun,
    { onEvent, idempotencyKey, signal }: RunOptions = {},
  ): Promise<unknown> {
    const started = (await call('post', '/ai-workflows/api/execute-flow-async', {
      body: run,
      signal,
      ...(idempotencyKey !== undefined && { headers: { 'idempotency-key': idempotencyKey } }),
    })) as { readonly execution_id: string }
    const params = { path: { execution_id: started.execution_id } }
    const events = stream('get', '/ai-workflows/api/execution-stream/{execution_id}', {
      params,
      ...(signal !== undefined && { signal }),
    } as object)
    for await (const event of events) onEvent?.(event)
    return await call('get', '/ai-workflows/api/executions/{execution_id}', { params, signal })
  }

  const methodOf = (method: HttpMethod) => (path: string, init?: object) => call(method, path, init)
  return {
    get: methodOf('get'),
    post: methodOf('post'),
    put: methodOf('put'),
    patch: methodOf('patch'),
    delete: methodOf('delete'),
    list,
    stream,
    runFlow,
  } as unknown as Tutti
}

interface ListInit {
  readonly params?: { readonly query?: Readonly<Record<string, unknown>> }
}
