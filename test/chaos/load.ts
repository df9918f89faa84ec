import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

/** The flows of the load. With an address, each execution first calls it with the key of its context, once. */
export function loadFlows(effectsUrl?: string) {
  const effect = {
    id: 'effect',
    type: 'external_api',
    api: { url: `${effectsUrl}/{{context.key}}`, method: 'POST' },
  }
  const greet = {
    id: 'greet',
    type: 'data_transform',
    dependencies: effectsUrl === undefined ? [] : ['effect'],
    transformations: [{ operation: 'generate_summary', template: 'Hello {{context.key}}' }],
  }
  // Suspends the execution, so that another replica may continue it.
  const rest = { id: 'rest', type: 'wait', duration: '1s', dependencies: ['greet'] }
  const part = {
    id: 'part',
    type: 'data_transform',
    dependencies: ['rest'],
    transformations: [{ operation: 'generate_summary', template: 'Bye {{context.key}}' }],
  }
  const short = effectsUrl === undefined ? [greet] : [effect, greet]
  return [
    { id: 'load_short', label: 'Short', steps: short },
    { id: 'load_waiting', label: 'Waiting', steps: [...short, rest, part] },
  ]
}

/** A request that a caller saw fail, or an incomplete response. */
interface LoadFailure {
  readonly at: number
  readonly message: string
}

/** What callers saw. */
export interface LoadReport {
  readonly requests: number
  readonly failures: readonly LoadFailure[]
  /** Executions that a response has acknowledged. */
  readonly started: ReadonlySet<string>
  readonly streams: number
  readonly resumedStreams: number
}

export interface Load {
  /** Waits until each caller has finished what it had begun. */
  stop(): Promise<LoadReport>
  requests(): number
  /** The failures so far. */
  readonly failures: readonly LoadFailure[]
}

/** An account may read a status ten times a second. */
const betweenRequestsMs = 130

interface CallOptions {
  readonly method?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A request that is sent again and again beside those of the callers. Rejects when it fails. */
export interface SideLoad {
  readonly everyMs: number
  readonly run: () => Promise<void>
}

interface LoadOptions {
  readonly url: string
  readonly apiKey: string
  readonly callers: number
  /** Receives the events of each execution. */
  readonly callbackUrl?: string
  readonly beside?: readonly SideLoad[]
}

/**
 * Callers that use the API as often as one account may: synchronous executions, executions whose events are streamed to the end, and status reads.
 * A cut stream continues with `Last-Event-ID`, as the API describes; a lost or repeated event is a failure. Nothing else is retried.
 */
export function startLoad({ url, apiKey, callers, callbackUrl, beside = [] }: LoadOptions): Load {
  const failures: LoadFailure[] = []
  const started = new Set<string>()
  const counts = { requests: 0, streams: 0, resumedStreams: 0 }
  const stopping = new AbortController()
  let nextAt = 0

  async function call(path: string, init: CallOptions = {}): Promise<Response> {
    const waitMs = Math.max(0, nextAt - Date.now())
    nextAt = Date.now() + waitMs + betweenRequestsMs
    await delay(waitMs)
    counts.requests += 1
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...init.headers }
    return await fetch(`${url}/ai-workflows/api/${path}`, { ...init, headers })
  }

  async function callJson(path: string, body?: unknown): Promise<Record<string, unknown>> {
    const answer = await call(path, body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`)
    return JSON.parse(text) as Record<string, unknown>
  }

  const startOf = (flow: string) => ({
    flow_id: flow,
    context: { key: randomUUID() },
    ...(callbackUrl !== undefined && {
      options: { callback_config: { webhook_url: callbackUrl, progress_callbacks: false } },
    }),
  })

  async function runAndWait(): Promise<void> {
    const { status, execution_id: id } = await callJson('execute-flow', startOf('load_short'))
    started.add(String(id))
    if (status !== 'completed') throw new Error(`execution ${String(id)} is ${String(status)}`)
  }

  async function runAndStream(): Promise<void> {
    const { execution_id: id } = await callJson('execute-flow-async', startOf('load_waiting'))
    started.add(String(id))
    counts.streams += 1
    let last = 0
    for (let reads = 0; ; reads++) {
      const seen = await readStream(String(id), last)
      last = seen.last
      if (seen.completed) break
      counts.resumedStreams += 1
      if (reads === 20) throw new Error(`the stream of ${String(id)} has no end`)
    }
    const { status } = await callJson(`execution-status/${String(id)}`)
    if (status !== 'completed') throw new Error(`execution ${String(id)} is ${String(status)}`)
  }

  async function readStream(id: string, after: number) {
    const answer = await call(`execution-stream/${id}`, {
      headers: after === 0 ? {} : { 'last-event-id': String(after) },
    })
    if (answer.status === 204) return { last: after, completed: true }
    if (!answer.ok || answer.body === null) throw new Error(`stream: ${answer.status} ${await answer.text()}`)
    let last = after
    let completed = false
    let rest = ''
    const decoder = new TextDecoder()
    try {
      for await (const chunk of answer.body) {
        const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
        rest = blocks.pop() ?? ''
        for (const block of blocks) {
          const number = Number(/^id: (\d+)$/m.exec(block)?.[1] ?? last)
          if (/^id: /m.test(block) && number !== last + 1) throw new StreamGap(id, last, number)
          last = number
          if (/^event: execution_completed$/m.test(block)) completed = true
        }
      }
    } catch (error) {
      if (error instanceof StreamGap) throw error
    }
    return { last, completed }
  }

  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : ''
      failures.push({
        at: Date.now(),
        message: `${error instanceof Error ? error.message : String(error)}${cause}`,
      })
      await delay(100)
    }
  }

  async function caller(number: number): Promise<void> {
    for (let round = 0; !stopping.signal.aborted; round++) {
      await attempt(async () => {
        await ((number + round) % 2 === 0 ? runAndWait : runAndStream)()
        const { executions } = await callJson('executions?limit=5')
        if (!Array.isArray(executions)) throw new Error('the list of executions is missing')
      })
    }
  }

  async function repeat({ everyMs, run }: SideLoad): Promise<void> {
    while (!stopping.signal.aborted) {
      counts.requests += 1
      await attempt(run)
      await delay(everyMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  const calling = [...Array.from({ length: callers }, (_, number) => caller(number)), ...beside.map(repeat)]
  return {
    requests: () => counts.requests,
    failures,
    async stop() {
      stopping.abort()
      await Promise.all(calling)
      return { ...counts, failures, started }
    },
  }
}

class StreamGap extends Error {
  constructor(id: string, last: number, next: number) {
    super(`the stream of ${id} has event ${next} after ${last}`)
  }
}
