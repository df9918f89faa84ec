import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import { modelsFailure } from '../../errors.ts'
import type { EmbedResponse } from '../../gateway/contract.ts'
import { callConfig, type GatewayRouteOptions } from '../gateway-options.ts'
import { listAccess } from '../model-directory.ts'
import { callHeaders } from '../requests/call-headers.ts'
import { createRuntimeHandlers } from './handlers.ts'
import { answerLoadRequests } from './load-request.ts'
import { addRuntimeModelRoutes, type RuntimeModelOptions } from './model-routes.ts'
import { cleanEmbedFields, embeddingsRequestSchema } from './request-schemas.ts'
import { embeddingsResponse } from './response-schemas.ts'
import { addRuntimeCallRoutes } from './routes.ts'
import { embeddingsCall } from './to-model-call.ts'

const prefix = '/ollama/api'

/** The API of the model runtime under `/ollama`: an Ollama client needs only this base URL and an API key. */
export function addOllamaRoutes(
  routes: HttpServer,
  options: GatewayRouteOptions & RuntimeModelOptions,
): void {
  const { idempotency, sessionHeader, ratePolicy, rules, directory, runtime } = options
  idempotency.watch(routes)
  const handlers = createRuntimeHandlers(options, ({ message }) => message)
  addRuntimeCallRoutes(routes, options, {
    prefix,
    operationIds: {
      generate: 'createOllamaCompletion',
      chat: 'createOllamaChat',
      embed: 'createOllamaEmbeddings',
    },
    handlers: answerLoadRequests(handlers, directory),
  })
  addRuntimeModelRoutes(routes, { prefix, directory, runtime })
  addStatusRoutes(routes)
  addManagementRoutes(routes)

  routes.post(
    `${prefix}/embeddings`,
    {
      config: { ...callConfig, ratePolicy },
      bodyLimit: rules.bodyLimitBytes,
      preValidation: cleanEmbedFields,
      schema: {
        operationId: 'createOllamaEmbedding',
        summary: 'Create an embedding (older form)',
        description: 'Returns the embedding of one text; `embed` accepts several.',
        headers: callHeaders(sessionHeader),
        body: embeddingsRequestSchema,
        response: { 200: embeddingsResponse },
      },
    },
    (request, reply) =>
      handlers.embed(request, reply, { call: embeddingsCall(request.body), write: writeEmbedding }),
  )
}

function writeEmbedding({ embeddings: { vectors, raw } }: EmbedResponse) {
  const embedding = raw === undefined ? vectors[0] : readVector(raw)
  if (embedding === undefined) {
    throw modelsFailure('answer_broke_off', { message: 'The node sent no vector for the text.' })
  }
  return { embedding: [...embedding] }
}

/** The first vector of a response of a node. */
function readVector(raw: Buffer): readonly number[] | undefined {
  try {
    const { embeddings } = JSON.parse(raw.toString('utf8')) as { readonly embeddings?: unknown }
    const [first]: unknown[] = Array.isArray(embeddings) ? embeddings : []
    return Array.isArray(first) && first.every((value) => typeof value === 'number') ? first : undefined
  } catch {
    return undefined
  }
}

/** Clients send GET or HEAD to the base URL to see that the runtime is there. */
function addStatusRoutes(routes: HttpServer): void {
  for (const [path, operationId] of [
    ['/ollama', 'getOllamaStatus'],
    ['/ollama/', 'getOllamaRoot'],
  ] as const) {
    routes.get(
      path,
      {
        config: { access: { open: 'clients check the address before they send a key' } },
        schema: {
          operationId,
          summary: 'Check that the API is available',
          response: {
            200: { description: 'A text.', content: { 'text/plain': { schema: Type.String() } } },
          },
        },
      },
      async (_request, reply) => {
        await reply.type('text/plain; charset=utf-8').send('Ollama is running')
      },
    )
  }
}

/** Operations that change the models of a node. The gateway has no such operations: models belong to all its users. */
const managed = [
  ['POST', '/create', 'created'],
  ['POST', '/pull', 'pulled'],
  ['POST', '/push', 'pushed'],
  ['POST', '/copy', 'copied'],
  ['DELETE', '/delete', 'deleted'],
] as const

function addManagementRoutes(routes: HttpServer): void {
  for (const [method, path, done] of managed) {
    routes.route({
      method,
      url: `${prefix}${path}`,
      config: { access: listAccess, undocumented: true },
      handler() {
        throw kernelFailure('method_not_allowed', {
          message: `Models cannot be ${done} through the gateway. An operator adds them to a node of the cluster.`,
          headers: { allow: '' },
        })
      },
    })
  }
}
