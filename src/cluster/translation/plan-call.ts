import { Failure } from '#kernel/errors'
import { answerLoadRequest, describeUnknownModel, isLoadRequest } from '#kernel/native-api'
import { isNative } from '../nodes/runtime.ts'
import type { TrackedNode } from '../nodes/tracked-node.ts'
import type { AttemptEvents } from '../requests/attempt.ts'
import type { RouteRequest } from '../requests/wire/node-route.ts'
import type { ResponseHead } from '../requests/wire/response-head.ts'
import { failureOr, isTranslated, readTextCall, translateRequest } from './compatible-request.ts'
import { headOf, json, lines, TranslatedResponse } from './translated-response.ts'

type Fields = Readonly<Record<string, unknown>>

/** How a node gets a request. */
export type NodeCallPlan =
  | {
      readonly kind: 'ask'
      readonly request: RouteRequest
      /** Gets the response of the node. */
      readonly events: AttemptEvents
      readonly onAttempt?: (attempt: { cancel(): void }) => void
    }
  /** The cluster knows the answer. */
  | { readonly kind: 'answer'; readonly head: ResponseHead; readonly body: Buffer }
  | { readonly kind: 'refuse'; readonly failure: Failure }

interface PlannedWork {
  readonly requirements: { readonly model: string; readonly modelAsGiven: string }
}

/**
 * | path        | node with the native API | node with the OpenAI-compatible API                             |
 * |-------------|--------------------------|-----------------------------------------------------------------|
 * | `/api/show` | forward                  | answer from its list of models                                  |
 * | `/api/…`    | forward                  | translate; answer a request that only loads the model           |
 * | `/v1/…`     | forward                  | forward, with the name of the model as the node lists it        |
 */
export function planCall(
  request: RouteRequest,
  { requirements }: PlannedWork,
  node: TrackedNode,
  events: AttemptEvents,
): NodeCallPlan {
  const { runtime } = node
  if (runtime === null || isNative(runtime)) return { kind: 'ask', request, events }
  const { model, modelAsGiven } = requirements
  const name = node.listedName(model) ?? modelAsGiven
  const [path = ''] = request.path.split('?', 1)
  if (path === '/api/show') return answer(describe(node, name), json)
  if (!isTranslated(path)) {
    if (name === modelAsGiven) return { kind: 'ask', request, events }
    const { name: _older, ...fields } = readFields(request.body)
    return { kind: 'ask', request: { ...request, body: write({ ...fields, model: name }) }, events }
  }
  const fields = readFields(request.body)
  if (path === '/api/chat' || path === '/api/generate') {
    const call = failureOr(() => readTextCall(path, fields))
    if (call instanceof Failure) return { kind: 'refuse', failure: call }
    if (isLoadRequest(call)) {
      const isStream = fields['stream'] !== false
      return answer(
        `${JSON.stringify(answerLoadRequest(call))}${isStream ? '\n' : ''}`,
        isStream ? lines : json,
      )
    }
  }
  const translated = failureOr(() => translateRequest(path, fields, { runtime, model: name }))
  if (translated instanceof Failure) return { kind: 'refuse', failure: translated }
  const response = new TranslatedResponse(translated, modelAsGiven, events)
  return {
    kind: 'ask',
    request: {
      path: translated.path,
      headers: jsonHeaders(request.headers),
      body: write(translated.body),
    },
    events: response,
    onAttempt: (attempt) => {
      response.cancel = () => attempt.cancel()
    },
  }
}

function answer(text: string, type: string): NodeCallPlan {
  return { kind: 'answer', head: headOf(200, type), body: Buffer.from(text) }
}

function describe(node: TrackedNode, name: string): string {
  const known = node.models.find((model) => model.name === name)
  return JSON.stringify(
    describeUnknownModel({
      id: name,
      family: node.runtime ?? 'openai',
      created: null,
      capabilities: known?.capabilities ?? [],
      contextLength: known?.contextLength ?? null,
      quantization: known?.quantization ?? null,
    }),
  )
}

/** The body was parsed before, when the request arrived. */
function readFields(body: Buffer): Fields {
  return JSON.parse(body.toString('utf8')) as Fields
}

function write(body: unknown): Buffer {
  return Buffer.from(JSON.stringify(body))
}

const replaced: ReadonlySet<string> = new Set(['content-type', 'accept', 'accept-encoding'])

/** The response is read, so it must not be compressed. */
function jsonHeaders(headers: readonly string[]): string[] {
  const kept = headers.filter(
    (_text, index) => !replaced.has((headers[index - (index % 2)] ?? '').toLowerCase()),
  )
  return [...kept, 'content-type', 'application/json', 'accept', 'application/json, text/event-stream']
}
