import type { HttpServer } from '#kernel/http'
import { answerHeaders } from '../answers/answer-headers.ts'
import { callHeaders } from '../asked/call-headers.ts'
import { watchCaller } from '../asked/caller.ts'
import { passedOn } from '../asked/passed-on.ts'
import { takeFields } from '../asked/take-fields.ts'
import { whoAsks } from '../asked/who-asks.ts'
import { callConfig, type GatewayRouteOptions } from '../gateway-options.ts'
import { embeddingAnswer } from './answers.ts'
import { embeddingBody } from './embedding-body.ts'
import { noteLabels } from './labels.ts'
import { lookIntoEmbedding } from './look-inside.ts'
import { spareRetries } from './spare-retries.ts'
import { embeddingCall } from './to-call.ts'

/** Vectors for clients of OpenAI. */
export function addOpenAiEmbeddingRoute(routes: HttpServer, options: GatewayRouteOptions): void {
  const { gateway, sessionHeader, purseOf, ratePolicy, rules } = options
  routes.post(
    '/v1/embeddings',
    {
      config: { ...callConfig, ratePolicy },
      bodyLimit: rules.bodyLimitBytes,
      preValidation: takeFields({}, lookIntoEmbedding),
      schema: {
        operationId: 'createEmbedding',
        summary: 'Turn texts into vectors',
        description: 'One vector for each input, as numbers or in base64.',
        headers: callHeaders(sessionHeader),
        body: embeddingBody,
        response: { 200: embeddingAnswer },
      },
    },
    async (request, reply) => {
      const { body } = request
      noteLabels(request, body)
      const caller = watchCaller(request, reply)
      try {
        const answered = await gateway.embed({
          ...whoAsks(request, { caller, purseOf }),
          call: { ...embeddingCall(body), ...passedOn(request, options) },
        })
        const { vectors, inputTokens } = answered.embeddings
        const encode = body.encoding_format === 'base64' ? toBase64 : toNumbers
        return await reply.headers(answerHeaders(answered)).send({
          object: 'list' as const,
          data: vectors.map((vector, index) => ({
            object: 'embedding' as const,
            index,
            embedding: encode(vector),
          })),
          model: answered.model,
          usage: inputTokens === null ? null : { prompt_tokens: inputTokens, total_tokens: inputTokens },
        })
      } catch (thrown) {
        throw spareRetries(reply, caller.explain(thrown))
      }
    },
  )
}

function toNumbers(vector: readonly number[]): number[] {
  return [...vector]
}

function toBase64(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4)
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4)
  return bytes.toString('base64')
}
