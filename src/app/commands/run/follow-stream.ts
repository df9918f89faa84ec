import { setTimeout as pause } from 'node:timers/promises'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { UserError } from '#kernel/errors'
import type { PlatformApi } from '../remote/platform-api.ts'

export interface StreamEvent {
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Attempts in a row to reopen a stream: together they last as long as a restart of the platform may take. */
const maxTries = 60

/** The events of an execution to its end. A stream that breaks off resumes after the last event. */
export async function* followStream(
  api: Pick<PlatformApi, 'open'>,
  executionId: string,
  signal: AbortSignal,
  { pauseMs = 500 }: { readonly pauseMs?: number } = {},
): AsyncGenerator<StreamEvent> {
  let lastId = '0'
  for (let tries = 1; ; tries += 1) {
    const answer = await open(api, executionId, { lastId, signal, isLastTry: tries === maxTries })
    if (answer?.status === 204) return
    if (answer?.body) {
      try {
        for await (const { id, event, data } of readMessages(answer.body)) {
          tries = 1
          lastId = id ?? lastId
          yield { event, data }
          if (event === 'execution_completed') return
        }
      } catch (error) {
        if (signal.aborted || tries === maxTries) throw error
      }
    }
    await pause(pauseMs, undefined, { signal })
  }
}

interface OpenOptions {
  readonly lastId: string
  readonly signal: AbortSignal
  readonly isLastTry: boolean
}

/** Undefined: the platform does not respond for now. A rejection is final. */
async function open(
  api: Pick<PlatformApi, 'open'>,
  executionId: string,
  { lastId, signal, isLastTry }: OpenOptions,
): Promise<Response | undefined> {
  let answer: Response
  try {
    answer = await api.open(`/execution-stream/${executionId}`, { 'last-event-id': lastId }, signal)
  } catch (error) {
    if (signal.aborted || isLastTry) throw error
    return undefined
  }
  if (answer.ok) return answer
  await answer.body?.cancel()
  const mayPass = answer.status >= 500 || answer.status === 429
  if (mayPass && !isLastTry) return undefined
  throw new UserError(`The stream of the execution ${executionId} was refused with status ${answer.status}.`)
}

interface Message extends StreamEvent {
  readonly id: string | undefined
}

/** Reads server-sent events whose data is JSON, as they arrive. */
export async function* readMessages(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const complete: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (message) => void complete.push(message) })
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    parser.feed(text)
    for (const { id, event = 'message', data } of complete.splice(0))
      yield { id, event, data: JSON.parse(data) as StreamEvent['data'] }
  }
}
