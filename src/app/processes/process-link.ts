import type { PlatformUrls } from '../listen.ts'
import type { CountCall, CountResult } from './shared-counts.ts'

/** The requests between a supervisor and its processes. */
interface Requests {
  /** The metrics of the process, or of all processes when a process requests them from the supervisor. */
  metrics(): string
  /** Undefined when the process is ready, else the reason why it is not. */
  readiness(): string | undefined
  /** Counts against a limit: the supervisor counts for all processes. */
  count(call: CountCall): CountResult
}

type RequestName = keyof Requests
type ParametersOf<Name extends RequestName> = Parameters<Requests[Name]>
type ResultOf<Name extends RequestName> = ReturnType<Requests[Name]>

/** Sent once by a process when its servers listen. */
export interface Started {
  readonly urls: PlatformUrls
  /** Undefined for a process without a database. */
  readonly database?: { readonly kind: 'embedded' | 'server'; readonly version: string }
}

type Message =
  | { readonly kind: 'started'; readonly started: Started }
  | {
      readonly kind: 'request'
      readonly id: number
      readonly name: RequestName
      readonly parameters: readonly unknown[]
    }
  | { readonly kind: 'result'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly reason: string }

/** One end of the channel between the supervisor and a process. */
export interface Channel {
  send(message: Message): void
  onMessage(handle: (message: Message) => void): void
}

export type Handlers = {
  readonly [Name in RequestName]?: (...parameters: ParametersOf<Name>) => Promise<ResultOf<Name>>
}

export interface ProcessLink {
  /** Rejects after `timeoutMs`, and when the handler of the other end fails. */
  request<Name extends RequestName>(
    name: Name,
    timeoutMs: number,
    ...parameters: ParametersOf<Name>
  ): Promise<ResultOf<Name>>
}

interface ProcessLinkOptions {
  readonly channel: Channel
  readonly handlers: Handlers
  readonly onStarted?: (started: Started) => void
}

/** Connects one end of a channel: it handles the requests of the other end, and sends its own. */
export function createProcessLink({ channel, handlers, onStarted }: ProcessLinkOptions): ProcessLink {
  const pending = new Map<number, PromiseWithResolvers<unknown>>()
  let lastId = 0

  async function respond(id: number, name: RequestName, parameters: readonly unknown[]): Promise<void> {
    const handle = handlers[name] as ((...parameters: readonly unknown[]) => Promise<unknown>) | undefined
    try {
      channel.send({ kind: 'result', id, result: await handle?.(...parameters) })
    } catch (error) {
      channel.send({ kind: 'failure', id, reason: error instanceof Error ? error.message : 'failed' })
    }
  }

  channel.onMessage((message) => {
    if (message.kind === 'started') onStarted?.(message.started)
    else if (message.kind === 'request') void respond(message.id, message.name, message.parameters)
    else if (message.kind === 'result') pending.get(message.id)?.resolve(message.result)
    else pending.get(message.id)?.reject(new Error(message.reason))
  })

  return {
    async request<Name extends RequestName>(
      name: Name,
      timeoutMs: number,
      ...parameters: ParametersOf<Name>
    ) {
      const id = ++lastId
      const response = Promise.withResolvers<unknown>()
      pending.set(id, response)
      const timer = setTimeout(
        () => response.reject(new Error(`no response within ${timeoutMs} ms`)),
        timeoutMs,
      )
      try {
        channel.send({ kind: 'request', id, name, parameters })
        return (await response.promise) as ResultOf<Name>
      } finally {
        clearTimeout(timer)
        pending.delete(id)
      }
    },
  }
}
