import { type TSchema, Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import type { ClusterAccess } from '../callers/access.ts'
import type { Callers } from '../callers/callers.ts'
import { strategySchema } from '../control/control.ts'
import type { DataPath } from '../data-path/data-path.ts'
import { dataRequestOf, dataResponseOf } from '../data-path/http-exchange.ts'
import { isForwarded, pathOf } from '../data-path/runtime-paths.ts'
import { priorities } from '../queue/fair-queue.ts'
import { canContinue } from '../requests/continuation.ts'
import type { RequestRules } from '../settings.ts'

interface ForwardedOptions {
  readonly access: ClusterAccess
  readonly callers: Callers
  readonly dataPath: DataPath
  readonly rules: Pick<RequestRules, 'sessionHeader' | 'stallMs'>
}

/**
 * Routes for forwarded requests of callers that are not cached: the framework authenticates and authorises the caller, then the data
 * path takes over the socket. Requests of cached callers bypass these routes. The schemas only document; the node validates the body.
 */
export function addForwardedRoutes(
  routes: HttpServer,
  paths: readonly ForwardedPath[],
  { access, callers, dataPath, rules }: ForwardedOptions,
): void {
  routes.removeAllContentTypeParsers()
  routes.addContentTypeParser('*', (_request, _body, done) => done(null))
  for (const forwarded of paths) {
    routes.post(
      forwarded.url,
      {
        config: { access: access.generate },
        schema: describeForwardedPath(forwarded, rules.sessionHeader),
        validatorCompiler: () => () => true,
      },
      (request, reply) => {
        const path = pathOf(request.url)
        if (!isForwarded(path)) throw noSuchPath(path)
        callers.remember(request.headers, request.principal)
        reply.hijack()
        dataPath(dataRequestOf(request.raw), dataResponseOf(reply.raw, rules.stallMs), {
          path,
          caller: request.principal,
        })
      },
    )
  }
}

/** The wildcard route of `/v1` also matches the model lists, which are merged and not forwarded. */
function noSuchPath(path: string) {
  if (!/^\/v1\/models(\/|$)/.test(path)) return kernelFailure('not_found')
  return kernelFailure('method_not_allowed', {
    message: 'This path does not support POST. Use GET.',
    headers: { allow: 'GET' },
  })
}

/** A path of the runtime that nodes serve, for the OpenAPI description. */
interface ForwardedPath {
  readonly url: string
  readonly summary: string
  readonly about: string
  /** Fields that callers of this path send, beside `model`. */
  readonly fields: Readonly<Record<string, TSchema>>
  /** Media type of a streamed response; undefined when the path does not stream. */
  readonly streamType?: 'application/x-ndjson' | 'text/event-stream'
}

const text = (description: string) => Type.Optional(Type.String({ description }))
const messages = Type.Array(
  Type.Object({ role: Type.String(), content: Type.Unknown() }, { additionalProperties: true }),
)
const input = Type.Union([Type.String(), Type.Array(Type.String())])
const streamedByDefault = Type.Optional(
  Type.Boolean({
    default: true,
    description: 'Sends one JSON line per token. The last line has the token counts.',
  }),
)
const streamedOnRequest = Type.Optional(
  Type.Boolean({ default: false, description: 'Sends one event per token, and `[DONE]` at the end.' }),
)
const streamedAsNamedEvents = Type.Optional(
  Type.Boolean({
    default: false,
    description: 'Sends named events. An interrupted stream ends with the event `error`.',
  }),
)
const options = Type.Optional(
  Type.Object({}, { additionalProperties: true, description: 'Model options of the runtime.' }),
)

/** The runtime's own paths. */
export const nativePaths: readonly ForwardedPath[] = [
  {
    url: '/api/generate',
    summary: 'Create a completion',
    about: 'Continues a prompt.',
    fields: { prompt: text('The text to continue.'), stream: streamedByDefault, options },
    streamType: 'application/x-ndjson',
  },
  {
    url: '/api/chat',
    summary: 'Create a chat completion',
    about: 'Writes the next message of a conversation.',
    fields: { messages: Type.Optional(messages), stream: streamedByDefault, options },
    streamType: 'application/x-ndjson',
  },
  {
    url: '/api/embed',
    summary: 'Create embeddings',
    about: 'Returns a vector for each text.',
    fields: { input: Type.Optional(input), options },
  },
  {
    url: '/api/embeddings',
    summary: 'Create an embedding (legacy)',
    about: 'Returns a vector for one text; `/api/embed` accepts several.',
    fields: { prompt: text('The text.'), options },
  },
  {
    url: '/api/show',
    summary: 'Describe a model',
    about: 'Returns the details of a model from one of the nodes that have it.',
    fields: { verbose: Type.Optional(Type.Boolean()) },
  },
]

/** The OpenAI-compatible paths. */
export const compatiblePaths: readonly ForwardedPath[] = [
  {
    url: '/v1/chat/completions',
    summary: 'Create a chat completion',
    about: 'Writes the next message of a conversation.',
    fields: { messages, stream: streamedOnRequest, max_tokens: Type.Optional(Type.Integer()) },
    streamType: 'text/event-stream',
  },
  {
    url: '/v1/completions',
    summary: 'Create a completion',
    about: 'Continues a prompt.',
    fields: { prompt: input, stream: streamedOnRequest, max_tokens: Type.Optional(Type.Integer()) },
    streamType: 'text/event-stream',
  },
  {
    url: '/v1/embeddings',
    summary: 'Create embeddings',
    about: 'Returns a vector for each text.',
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
      'Forwards any other path under `/v1` that consists of plain names. The available paths depend on the runtime of the nodes.',
    fields: {},
    streamType: 'text/event-stream',
  },
]

/** The Anthropic-compatible paths. */
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
    about: 'For example `/v1/messages/count_tokens`. The available paths depend on the runtime of the nodes.',
    fields: {},
  },
]

/** The schema of a forwarded path. It only documents; it validates nothing. */
function describeForwardedPath(
  { url, summary, about, fields, streamType }: ForwardedPath,
  sessionHeader: string,
) {
  const whole = Type.Object({}, { additionalProperties: true })
  return {
    summary,
    description: `${about} The request and the response are forwarded unchanged; the node validates all fields. The response header \`X-Cluster-Node\` contains the node.`,
    headers: Type.Object({
      [sessionHeader]: text('Session id: requests with the same value go to the same node.'),
      'x-cluster-strategy': Type.Optional(strategySchema),
      ...(canContinue(url) && {
        'x-cluster-continue': Type.Optional(
          Type.Enum(['true', 'false'], {
            description:
              'Whether another node continues the stream when its node fails; the trailer `X-Cluster-Continued` names it. Default: `CLUSTER_CONTINUE_STREAMS`.',
          }),
        ),
      }),
      'x-priority': Type.Optional(
        Type.Enum(Object.keys(priorities), {
          default: 'normal',
          description:
            'Place in the queue. Accounts need the permission `administer cluster` for `high` and `urgent`.',
        }),
      ),
      'x-cluster-caller': text(
        'The caller in the fair queue, where callers take turns. Ignored for accounts: an account is always its own caller.',
      ),
    }),
    ...(url.endsWith('*') && { params: Type.Object({ '*': Type.String() }) }),
    body: Type.Object(
      { model: Type.String({ description: 'Model name. The default tag is `latest`.' }), ...fields },
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
