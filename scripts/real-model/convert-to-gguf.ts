import { readTokens, type Token } from './llama2-tokens.ts'
import { type Llama2Weights, readWeights } from './llama2-weights.ts'
import { keep, quantize } from './quantize.ts'
import { type GgufTensor, type GgufValue, writeGguf } from './write-gguf.ts'

interface Llama2Model {
  readonly name: string
  readonly weights: Buffer
  readonly tokenizer: Buffer
}

/** The file type in the header for matrices that are mostly quantised in blocks. */
const mostlyQ8 = 7

/** Converts a model of llama2.c to the format of llama.cpp, at about a byte per weight. */
export function convertToGguf({ name, weights, tokenizer }: Llama2Model): Buffer {
  const model = readWeights(weights)
  const tokens = readTokens(tokenizer)
  if (tokens.length !== model.shape.vocabulary) throw new Error('the tokenizer does not belong to the model')
  return writeGguf({ ...describeModel(name, model), ...describeTokens(tokens) }, tensorsOf(model))
}

function u32(value: number): GgufValue {
  return { kind: 'u32', value }
}

function matrix(name: string, rowLength: number, rows: number, weights: Float32Array): GgufTensor {
  return { name: `${name}.weight`, shape: [rowLength, rows], type: 'q8_0', data: quantize(weights) }
}

function row(name: string, weights: Float32Array): GgufTensor {
  return { name: `${name}.weight`, shape: [weights.length], type: 'f32', data: keep(weights) }
}

function describeModel(name: string, { shape }: Llama2Weights): Record<string, GgufValue> {
  return {
    'general.architecture': { kind: 'text', value: 'llama' },
    'general.name': { kind: 'text', value: name },
    'general.file_type': u32(mostlyQ8),
    'llama.block_count': u32(shape.layers),
    'llama.context_length': u32(shape.context),
    'llama.embedding_length': u32(shape.width),
    'llama.feed_forward_length': u32(shape.hiddenWidth),
    'llama.attention.head_count': u32(shape.heads),
    'llama.attention.head_count_kv': u32(shape.keyHeads),
    'llama.attention.layer_norm_rms_epsilon': { kind: 'f32', value: 1e-5 },
    'llama.rope.dimension_count': u32(shape.width / shape.heads),
  }
}

function describeTokens(tokens: readonly Token[]): Record<string, GgufValue> {
  return {
    'tokenizer.ggml.model': { kind: 'text', value: 'llama' },
    'tokenizer.ggml.tokens': { kind: 'texts', value: tokens.map(({ text }) => text) },
    'tokenizer.ggml.scores': { kind: 'f32s', value: tokens.map(({ score }) => score) },
    'tokenizer.ggml.token_type': { kind: 'i32s', value: tokens.map(({ type }) => type) },
    'tokenizer.ggml.unknown_token_id': u32(0),
    'tokenizer.ggml.bos_token_id': u32(1),
    'tokenizer.ggml.eos_token_id': u32(2),
    'tokenizer.ggml.add_bos_token': { kind: 'flag', value: true },
    'tokenizer.ggml.add_eos_token': { kind: 'flag', value: false },
  }
}

function tensorsOf({ shape, embeddings, finalNorm, layer }: Llama2Weights): readonly GgufTensor[] {
  const { width, hiddenWidth, heads, keyHeads, vocabulary, layers } = shape
  const keyWidth = (width / heads) * keyHeads
  const ofLayer = (index: number): readonly GgufTensor[] => {
    const weights = layer(index)
    const name = (part: string) => `blk.${index}.${part}`
    return [
      row(name('attn_norm'), weights.attentionNorm),
      matrix(name('attn_q'), width, width, weights.query),
      matrix(name('attn_k'), width, keyWidth, weights.key),
      matrix(name('attn_v'), width, keyWidth, weights.value),
      matrix(name('attn_output'), width, width, weights.output),
      row(name('ffn_norm'), weights.feedForwardNorm),
      matrix(name('ffn_gate'), width, hiddenWidth, weights.gate),
      matrix(name('ffn_down'), hiddenWidth, width, weights.down),
      matrix(name('ffn_up'), width, hiddenWidth, weights.up),
    ]
  }
  return [
    matrix('token_embd', width, vocabulary, embeddings),
    ...Array.from({ length: layers }, (_unused, index) => ofLayer(index)).flat(),
    row('output_norm', finalNorm),
  ]
}
