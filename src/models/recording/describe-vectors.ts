import type { EmbedCall, Embeddings } from '../providers/provider.ts'
import type { RecordedResponse } from './content.ts'

/** The first vector of a response begins and ends within these bytes. */
const maxVectorBytes = 256 * 1024
const firstVector = /"embeddings?"\s*:\s*(?:\[\s*\[|\[|")/
const bytesOfNumber = 4

/** The number and the size of the vectors of a response, which are not recorded themselves. */
export function describeVectors(
  { inputs, tokens }: Pick<EmbedCall, 'inputs' | 'tokens'>,
  { vectors, raw }: Pick<Embeddings, 'vectors' | 'raw'>,
): RecordedResponse {
  if (raw === undefined) return { embeddings: { count: vectors.length, dimensions: vectors[0]?.length ?? 0 } }
  return { embeddings: { count: tokens?.length ?? inputs.length, dimensions: dimensionsOf(raw) } }
}

/** The size of the first vector in a response of a provider, which is too large to be parsed; 0 when it is not found. */
function dimensionsOf(raw: Buffer): number {
  const start = raw.toString('latin1', 0, maxVectorBytes)
  const found = firstVector.exec(start)
  if (found === null) return 0
  const isBase64 = found[0].endsWith('"')
  const from = found.index + found[0].length
  const to = start.indexOf(isBase64 ? '"' : ']', from)
  if (to < 0) return 0
  const vector = start.slice(from, to)
  return isBase64 ? Buffer.from(vector, 'base64').length / bytesOfNumber : vector.split(',').length
}
