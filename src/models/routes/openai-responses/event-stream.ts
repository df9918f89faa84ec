import type { Failure } from '#kernel/errors'
import { modelsFailure } from '../../errors.ts'
import type { ChatResponse } from '../../gateway/contract.ts'
import type { ModelPart } from '../../providers/provider.ts'
import type { Item } from '../../stored-responses/stored-responses.ts'
import { errorCodeOf, openAiErrorMessages } from '../error-messages.ts'
import { describeOpenAiError } from '../openai/errors.ts'
import { type Fields, isFields } from '../requests/unsupported-fields.ts'
import type { StreamWriter } from '../responses/send-stream.ts'
import { createOutput, type ResponseEvent } from './output-events.ts'
import { endedResponse, type ResponseObject } from './response-object.ts'
import type { TranslatedTools } from './tools.ts'

/** Stores a complete response, and returns it as the caller gets it. */
export type KeepResponse = (response: ResponseObject) => Promise<ResponseObject>

/** A streamed response as server-sent events. */
export interface EventStream {
  /** The events as `raw` parts. The last one is sent when the response is stored. */
  readonly parts: AsyncIterable<ModelPart>
  /** Ends the stream after a failure. */
  readonly writer: StreamWriter
}

/** The output of a response without streaming. Throws the failures of its parts. */
export async function collectOutput(
  { parts, callId }: Pick<ChatResponse, 'parts' | 'callId'>,
  started: ResponseObject,
  tools: TranslatedTools,
): Promise<ResponseObject> {
  const output = createOutput(callId, tools)
  for await (const part of parts) {
    if (part.type === 'raw') continue
    if (part.type !== 'end') {
      output.add(part)
      continue
    }
    output.end(part.finish)
    return endedResponse(started, output.items(), part)
  }
  throw new TypeError('the response has no end')
}

/** Writes the events of a response in a format independent of providers. */
export function writeEvents(
  { parts, callId }: Pick<ChatResponse, 'parts' | 'callId'>,
  started: ResponseObject,
  { keep, tools }: { readonly keep: KeepResponse; readonly tools: TranslatedTools },
): EventStream {
  const output = createOutput(callId, tools)
  let sequence = 0
  const write = (written: readonly ResponseEvent[]) =>
    written.map((event) => {
      const text = eventText({ ...event, sequence_number: sequence })
      sequence += 1
      return text
    })

  async function* events(): AsyncGenerator<ModelPart> {
    yield rawPart(
      write([
        { type: 'response.created', response: started },
        { type: 'response.in_progress', response: started },
      ]),
    )
    for await (const part of parts) {
      if (part.type === 'raw') continue
      if (part.type !== 'end') {
        yield rawPart(write(output.add(part)))
        continue
      }
      const ending = write(output.end(part.finish))
      const response = await keep(endedResponse(started, output.items(), part))
      yield rawPart([...ending, ...write([{ type: `response.${String(response['status'])}`, response }])])
      yield part
    }
  }

  return {
    parts: events(),
    writer: createWriter((failure) => {
      const { message, code, param, type } = describeFailure(failure)
      return write([
        { type: 'error', code, message, param, error: { type, code, message, param } },
        {
          type: 'response.failed',
          response: { ...started, status: 'failed', error: { code, message }, output: output.items() },
        },
      ]).join('')
    }),
  }
}

/** The fields that replace those of the provider, which gets neither the state nor the labels of a response. */
export function withOwnFields(response: Fields, own: Fields): ResponseObject {
  const { output } = response
  return { ...response, ...own, output: Array.isArray(output) ? (output as readonly Item[]) : [] }
}

/** Passes on the events of a provider with this protocol. Only events with the whole response are changed. */
export function relayEvents(
  { parts }: Pick<ChatResponse, 'parts'>,
  own: Fields,
  keep: KeepResponse,
): EventStream {
  let sequence = 0

  async function change(text: string): Promise<string> {
    // The number of the event of a failure, should there be one. Comments have none.
    if (/^data:/m.test(text)) sequence += 1
    const [, state] = lifecycleEvent.exec(text) ?? []
    if (state === undefined) return text
    const event = parseEvent(text)
    const response = withOwnFields(event.response, own)
    const isFinal = state === 'completed' || state === 'incomplete'
    return eventText({ ...event, response: isFinal ? await keep(response) : response })
  }

  async function* events(): AsyncGenerator<ModelPart> {
    for await (const part of parts) {
      if (part.type !== 'raw') {
        yield part
        continue
      }
      const texts: string[] = []
      for (const text of part.bytes.toString('utf8').split(/(?<=\n\r?\n)/)) texts.push(await change(text))
      yield rawPart(texts, part.outputBytes)
    }
  }

  return {
    parts: events(),
    writer: createWriter((failure) => {
      const { message, code, param, type } = describeFailure(failure)
      const error = { type, code, message, param }
      return eventText({ type: 'error', sequence_number: sequence, code, message, param, error })
    }),
  }
}

const lifecycleEvent = /"type": ?"response\.(created|queued|in_progress|completed|incomplete)"/

interface LifecycleEvent extends ResponseEvent {
  readonly response: Fields
}

/** The data of a server-sent event. Throws `answer_broke_off` when it has no response. */
function parseEvent(text: string): LifecycleEvent {
  const lines = text.split(/\r?\n/).flatMap((line) => (line.startsWith('data:') ? line.slice(5) : []))
  const event = parseJson(lines.join('\n'))
  const { type, response } = isFields(event) ? event : {}
  if (typeof type === 'string' && isFields(response)) return { ...(event as Fields), type, response }
  throw modelsFailure('answer_broke_off', { message: 'The provider sent an invalid event.' })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function createWriter(failure: (failure: Failure) => string): StreamWriter {
  return {
    contentType: 'text/event-stream; charset=utf-8',
    opening: '',
    // The events are `raw` parts.
    part: () => '',
    failure,
    heartbeat: ': still here\n\n',
  }
}

function rawPart(texts: readonly string[], outputBytes = 0): ModelPart {
  return { type: 'raw', bytes: Buffer.from(texts.join('')), outputBytes }
}

function eventText(event: ResponseEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

function describeFailure(failure: Failure) {
  const { status, message, problems } = failure
  return describeOpenAiError({ status, message, problems, code: errorCodeOf(openAiErrorMessages, failure) })
}
