import { storableJson } from '#kernel/database'

/** Bytes of JSON. What is longer is left out, and a field beside it says so: whoever wants it reads the execution. */
const maxBytes = { data: 2 * 1024 * 1024, part: 1024 * 1024 } as const

/** The data of an event. When it is too long, its longest fields are null and marked: `results: null, results_omitted: true`. */
export function writeData(data: Readonly<Record<string, unknown>>): string {
  const text = storableJson(data)
  let bytes = Buffer.byteLength(text)
  if (bytes <= maxBytes.data) return text
  const lengths = Object.entries(data).map(
    ([field, value]) => [field, Buffer.byteLength(JSON.stringify(value) ?? '')] as const,
  )
  const kept: Record<string, unknown> = { ...data }
  for (const [field, length] of lengths.toSorted(([, one], [, other]) => other - one)) {
    if (bytes <= maxBytes.data) break
    Object.assign(kept, omitted(field))
    bytes -= length
  }
  return storableJson(kept)
}

/** What is added to the data for those who asked for it: `{ full_context }`, or that it was left out. */
export function writePart(field: string, value: unknown): string {
  const text = isLonger(value, maxBytes.part) ? undefined : storableJson({ [field]: value })
  return text !== undefined && Buffer.byteLength(text) <= maxBytes.part
    ? text
    : JSON.stringify(omitted(field))
}

function omitted(field: string): Record<string, unknown> {
  return { [field]: null, [`${field}_omitted`]: true }
}

/** Whether JSON is longer for certain, found out without writing it: what all steps made can be a hundred times what is sent. */
function isLonger(value: unknown, bytes: number): boolean {
  let left = bytes
  const waiting = [value]
  while (waiting.length > 0 && left >= 0) {
    const next = waiting.pop()
    left -= typeof next === 'string' ? next.length : 1
    if (typeof next !== 'object' || next === null) continue
    for (const [field, item] of Object.entries(next)) {
      left -= Array.isArray(next) ? 0 : field.length
      if (left < 0) break
      waiting.push(item)
    }
  }
  return left < 0
}
