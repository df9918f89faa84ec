import { setTimeout as pause } from 'node:timers/promises'
import { UserMistake } from '#kernel/errors'
import type { PlatformApi } from './platform-api.ts'

export interface StreamEvent {
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

/** How often in a row a stream that broke off is opened again: as long as a platform may take to start anew. */
const mostTries = 60
const pauseMs = 500

/** What happens in an execution, to its end. A stream that breaks off is taken up again where it was. */
export async function* followStream(
  api: Pick<PlatformApi, 'open'>,
  executionId: string,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent> {
  let lastId = '0'
  for (let tries = 1; ; tries += 1) {
    const answer = await open(api, executionId, { lastId, signal, isLastTry: tries === mostTries })
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
        if (signal.aborted || tries === mostTries) throw error
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

/** Undefined: nobody answers for now. A refusal is final. */
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
  throw new UserMistake(
    `The stream of the execution ${executionId} was refused with status ${answer.status}.`,
  )
}

interface Message extends StreamEvent {
  readonly id: string | undefined
}

/** Server-sent events, message by message. */
export async function* readMessages(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  let rest = ''
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    const blocks = `${rest}${piece}`.split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const message = readMessage(block)
      if (message !== undefined) yield message
    }
  }
}

function readMessage(block: string): Message | undefined {
  const fields = new Map(
    block.split('\n').map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, at), line.slice(at + 1).trimStart()] as const
    }),
  )
  const data = fields.get('data')
  if (data === undefined) return undefined
  return {
    id: fields.get('id'),
    event: fields.get('event') ?? 'message',
    data: JSON.parse(data) as StreamEvent['data'],
  }
}
