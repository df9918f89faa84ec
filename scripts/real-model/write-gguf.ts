/** A value of the header, by its type. */
export type GgufValue =
  | { readonly kind: 'u32'; readonly value: number }
  | { readonly kind: 'f32'; readonly value: number }
  | { readonly kind: 'flag'; readonly value: boolean }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'texts'; readonly value: readonly string[] }
  | { readonly kind: 'i32s'; readonly value: readonly number[] }
  | { readonly kind: 'f32s'; readonly value: readonly number[] }

export interface GgufTensor {
  readonly name: string
  /** The length of a row first. */
  readonly shape: readonly number[]
  readonly type: 'f32' | 'q8_0'
  readonly data: Buffer
}

const valueTypes = { u32: 4, i32: 5, f32: 6, flag: 7, text: 8, list: 9 }
const tensorTypes = { f32: 0, q8_0: 8 }
const version = 3
const alignment = 32

/** Writes a model in the format of llama.cpp: a header of names and values, a list of tensors, their data. */
export function writeGguf(head: Readonly<Record<string, GgufValue>>, tensors: readonly GgufTensor[]): Buffer {
  const parts: Buffer[] = [
    Buffer.from('GGUF'),
    u32(version),
    u64(tensors.length),
    u64(Object.keys(head).length),
  ]
  for (const [name, value] of Object.entries(head)) parts.push(text(name), writeValue(value))
  let offset = 0
  for (const { name, shape, type, data } of tensors) {
    parts.push(text(name), u32(shape.length), ...shape.map(u64), u32(tensorTypes[type]), u64(offset))
    offset += padded(data.length)
  }
  const before = Buffer.concat(parts)
  return Buffer.concat([pad(before), ...tensors.map(({ data }) => pad(data))])
}

function writeValue({ kind, value }: GgufValue): Buffer {
  switch (kind) {
    case 'u32':
      return Buffer.concat([u32(valueTypes.u32), u32(value)])
    case 'f32':
      return Buffer.concat([u32(valueTypes.f32), f32(value)])
    case 'flag':
      return Buffer.concat([u32(valueTypes.flag), Buffer.from([value ? 1 : 0])])
    case 'text':
      return Buffer.concat([u32(valueTypes.text), text(value)])
    case 'texts':
      return list(valueTypes.text, value.map(text))
    case 'i32s':
      return list(valueTypes.i32, value.map(u32))
    default:
      return list(valueTypes.f32, value.map(f32))
  }
}

function list(type: number, items: readonly Buffer[]): Buffer {
  return Buffer.concat([u32(valueTypes.list), u32(type), u64(items.length), ...items])
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'utf8')
  return Buffer.concat([u64(bytes.length), bytes])
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

function f32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return bytes
}

function padded(length: number): number {
  return Math.ceil(length / alignment) * alignment
}

function pad(bytes: Buffer): Buffer {
  return Buffer.concat([bytes], padded(bytes.length))
}
