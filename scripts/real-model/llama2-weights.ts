/** The dimensions of a model: the first seven numbers of its file. */
interface Shape {
  readonly width: number
  readonly hiddenWidth: number
  readonly layers: number
  readonly heads: number
  readonly keyHeads: number
  readonly vocabulary: number
  readonly context: number
}

/** The weights of one layer. Matrices are stored row by row, one row per output. */
interface Layer {
  readonly attentionNorm: Float32Array
  readonly query: Float32Array
  readonly key: Float32Array
  readonly value: Float32Array
  readonly output: Float32Array
  readonly feedForwardNorm: Float32Array
  readonly gate: Float32Array
  readonly down: Float32Array
  readonly up: Float32Array
}

export interface Llama2Weights {
  readonly shape: Shape
  readonly embeddings: Float32Array
  readonly finalNorm: Float32Array
  readonly layer: (index: number) => Layer
}

const headerBytes = 7 * 4

/** Reads a model file of llama2.c: a header, then every kind of weight for all layers at once, as 32-bit floats. */
export function readWeights(file: Buffer): Llama2Weights {
  const shape = readShape(file)
  const { width, hiddenWidth, layers, heads, keyHeads, vocabulary, context } = shape
  const keyWidth = (width / heads) * keyHeads
  let at = headerBytes
  const take = (count: number): Float32Array => {
    const bytes = Uint8Array.prototype.slice.call(file, at, at + count * 4)
    at += count * 4
    return new Float32Array(bytes.buffer, 0, count)
  }
  const takeForLayers = (count: number) => {
    const all = take(layers * count)
    return (layer: number) => all.subarray(layer * count, (layer + 1) * count)
  }
  const embeddings = take(vocabulary * width)
  const kinds = {
    attentionNorm: takeForLayers(width),
    query: takeForLayers(width * width),
    key: takeForLayers(width * keyWidth),
    value: takeForLayers(width * keyWidth),
    output: takeForLayers(width * width),
    feedForwardNorm: takeForLayers(width),
    gate: takeForLayers(width * hiddenWidth),
    down: takeForLayers(width * hiddenWidth),
    up: takeForLayers(width * hiddenWidth),
  }
  const finalNorm = take(width)
  // The sines and cosines of the positions follow, which llama.cpp computes itself.
  take(2 * context * (width / heads / 2))
  if (at !== file.length) throw new Error(`the model has ${file.length} bytes, expected ${at}`)
  const layer = (index: number) =>
    Object.fromEntries(Object.entries(kinds).map(([name, of]) => [name, of(index)])) as unknown as Layer
  return { shape, embeddings, finalNorm, layer }
}

function readShape(file: Buffer): Shape {
  const [width = 0, hiddenWidth = 0, layers = 0, heads = 0, keyHeads = 0, vocabulary = 0, context = 0] =
    Array.from({ length: 7 }, (_unused, index) => file.readInt32LE(index * 4))
  // A negative vocabulary means that the last layer has its own weights; this model shares them with the first.
  if (vocabulary <= 0) throw new Error('only models with shared embeddings are supported')
  return { width, hiddenWidth, layers, heads, keyHeads, vocabulary, context }
}
