import { type TSchema, Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import type { ClusterAccess } from '../callers/access.ts'
import type { Callers } from '../callers/callers.ts'
import type { DataPath } from '../data-path/data-path.ts'
import { isPassedOn, pathOf } from '../data-path/runtime-paths.ts'
import { priorities } from '../queue/fair-queue.ts'
import { strategySchema } from './strategy.ts'

interface ForwardedOptions {
  readonly access: ClusterAccess
  readonly callers: Callers
  readonly dataPath: DataPath
  readonly sessionHeader: string
}

/**
 * What is passed on to nodes, for those who are not known yet: here the framework finds out who they are and whether they may,
 * and then steps aside. Requests of cached callers take the fast path instead. The schemas only document; the node validates the body.
 */
export function addPassedOnRoutes(
  routes: HttpServer,
  paths: readonly ForwardedPath[],
  { access, callers, dataPath, sessionHeader }: ForwardedOptions,
): void {
  routes.removeAllContentTypeParsers()
  routes.addContentTypeParser('*', (_request, _body, done) => done(null))
  for (const path of paths) {
    routes.post(
      path.url,
      {
        config: { access: access.generate },
        schema: describePassedOn(path, sessionHeader),
        validatorCompiler: () => () => true,
      },
      (request, reply) => {
        const asked = pathOf(request.url)
        if (!isPassedOn(asked)) throw nothingThere(asked)
        callers.remember(request.headers, request.principal)
        reply.hijack()
        dataPath(request.raw, reply.raw, { path: asked, caller: request.principal })
      },
    )
  }
}

/** The pattern for everything under `/v1` also meets the lists, which are not passed on. */
function nothingThere(path: string) {
  if (!/^\/v1\/models(\/|$)/.test(path)) return kernelFailure('not_found')
  return kernelFailure('method_not_allowed', {
    message: 'This address does not answer POST; it answers GET.',
    headers: { allow: 'GET' },
  })
}

/** A path of the runtime that nodes answer, as the description of the interface tells of it. */
interface ForwardedPath {
  readonly url: string
  readonly summary: string
  readonly about: string
  /** Fields that callers of this path send, beside `model`. */
  readonly fields: Readonly<Record<string, TSchema>>
  /** How an answer that is a stream is written; undefined where there is none. */
  readonly streamType?: 'application/x-ndjson' | 'text/event-stream'
}

const text = (description: string) => Type.Optional(Type.String({ description }))
const messages = Type.Array(
  Type.Object({ role: Type.String(), content: Type.Unknown() }, { additionalProperties: true }),
)
const input = Type.Union([Type.String(), Type.Array(Type.String())])
const streamedUnlessTold = Type.Optional(
  Type.Boolean({ default: true, description: 'One line of JSON for each token, the last with the counts.' }),
)
const streamedWhenTold = Type.Optional(
  Type.Boolean({ default: false, description: 'One event for each token, and `[DONE]` at the end.' }),
)
const streamedAsNamedEvents = Type.Optional(
  Type.Boolean({
    default: false,
    description: 'Named events; a stream that is cut ends with the event `error`.',
  }),
)
const options = Type.Optional(
  Type.Object(
    {},
    { additionalProperties: true, description: 'Settings of the model, as the node knows them.' },
  ),
)

/** The runtime's own paths. */
export const nativePaths: readonly ForwardedPath[] = [
  {
    url: '/api/generate',
    summary: 'Create a completion',
    about: 'Continues a prompt.',
    fields: { prompt: text('What to continue.'), stream: streamedUnlessTold, options },
    streamType: 'application/x-ndjson',
  },
  {
    url: '/api/chat',
    summary: 'Create a chat completion',
    about: 'Writes the next message of a conversation.',
    fields: { messages: Type.Optional(messages), stream: streamedUnlessTold, options },
    streamType: 'application/x-ndjson',
  },
  {
    url: '/api/embed',
    summary: 'Create embeddings',
    about: 'Makes a vector of each text.',
    fields: { input: Type.Optional(input), options },
  },
  {
    url: '/api/embeddings',
    summary: 'Create an embedding (legacy)',
    about: 'Makes a vector of one text; `/api/embed` takes many.',
    fields: { prompt: text('The text.'), options },
  },
  {
    url: '/api/show',
    summary: 'Describe a model',
    about: 'What one of the nodes that have the model says of it.',
    fields: { verbose: Type.Optional(Type.Boolean()) },
  },
]

/** The same for clients of other services. */
export const compatiblePaths: readonly ForwardedPath[] = [
  {
    url: '/v1/chat/completions',
    summary: 'Create a chat completion',
    about: 'Writes the next message of a conversation.',
    fields: { messages, stream: streamedWhenTold, max_tokens: Type.Optional(Type.Integer()) },
    streamType: 'text/event-stream',
  },
  {
    url: '/v1/completions',
    summary: 'Create a completion',
    about: 'Continues a prompt.',
    fields: { prompt: input, stream: streamedWhenTold, max_tokens: Type.Optional(Type.Integer()) },
    streamType: 'text/event-stream',
  },
  {
    url: '/v1/embeddings',
    summary: 'Create embeddings',
    about: 'Makes a vector of each text.',
    fields: { input },
  },
  {
    url: '/v1/responses',
    summary: 'Create a response',
    about: 'Writes the next message of a conversation.',
    fields: { input: Type.Unknown(), stream: streamedAsNamedEvents },
    streamType: 'text/event-stream',
  },
  {
    url: '/v1/*',
    summary: 'Forward another request',
    about:
      'Any other path under `/v1` made of plain names. What there is depends on the runtime of the nodes.',
    fields: {},
    streamType: 'text/event-stream',
  },
]

/** The same for clients of Anthropic. */
export const messagesPaths: readonly ForwardedPath[] = [
  {
    url: '/v1/messages',
    summary: 'Create a message',
    about: 'Writes the next message of a conversation.',
    fields: { messages, max_tokens: Type.Optional(Type.Integer()), stream: streamedAsNamedEvents },
    streamType: 'text/event-stream',
  },
  {
    url: '/v1/messages/*',
    summary: 'Forward another messages request',
    about: 'Such as `/v1/messages/count_tokens`. What there is depends on the runtime of the nodes.',
    fields: {},
  },
]

/** The description of a path, for readers: nothing is checked by it. */
function describePassedOn({ url, summary, about, fields, streamType }: ForwardedPath, sessionHeader: string) {
  const whole = Type.Object({}, { additionalProperties: true })
  return {
    summary,
    description: `${about} The request and the response are passed on unchanged; the node validates all fields. \`X-Cluster-Node\` names the node.`,
    headers: Type.Object({
      [sessionHeader]: text('Requests with the same value go to the same node.'),
      'x-cluster-strategy': Type.Optional(strategySchema),
      'x-priority': Type.Optional(Type.Enum(Object.keys(priorities), { default: 'normal' })),
      'x-cluster-caller': text(
        'On whose behalf this is asked: callers take turns in the queue. An account is always itself.',
      ),
    }),
    ...(url.endsWith('*') && { params: Type.Object({ '*': Type.String() }) }),
    body: Type.Object(
      { model: Type.String({ description: 'Its name; without a tag, `:latest`.' }), ...fields },
      { additionalProperties: true },
    ),
    response: {
      200: {
        description: "The node's response.",
        content: {
          'application/json': { schema: whole },
          ...(streamType !== undefined && { [streamType]: { schema: Type.String() } }),
        },
      },
    },
  }
}
