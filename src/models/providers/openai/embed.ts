import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { SdkAddress } from '../cloud-provider.ts'
import type { EmbedCall, Embeddings } from '../provider.ts'
import { ProviderFailure } from '../provider-failure.ts'

/** The order is what the indexes say; the SDK takes it for granted. */
const indexes = Compile(
  Type.Object({ data: Type.Array(Type.Object({ index: Type.Integer({ minimum: 0 }) })) }),
)

export async function embedWithOpenAi(
  { model, inputs, dimensions }: EmbedCall,
  address: SdkAddress,
  abortSignal: AbortSignal,
): Promise<Embeddings> {
  const { createOpenAI } = await import('@ai-sdk/openai')
  const { embeddings, usage, response } = await createOpenAI(address)
    .embeddingModel(model)
    .doEmbed({ values: [...inputs], abortSignal, ...(dimensions !== undefined && { dimensions }) })
  const places = indexes.Check(response?.body) ? response.body.data.map(({ index }) => index) : []
  const vectors = embeddings.map((_vector, place) => embeddings[placeOf(places, place)])
  if (vectors.length !== inputs.length || vectors.includes(undefined)) {
    const message = 'OpenAI sent vectors that do not belong to the inputs.'
    throw new ProviderFailure({ kind: 'malformed', message })
  }
  return {
    vectors: vectors.flatMap((vector) => (vector === undefined ? [] : [vector])),
    inputTokens: usage?.tokens ?? null,
  }
}

/** Where the vector of an input stands in the answer. */
function placeOf(places: readonly number[], input: number): number {
  return places.length === 0 ? input : places.indexOf(input)
}
