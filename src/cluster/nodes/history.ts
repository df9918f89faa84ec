import { type Static, Type } from 'typebox'

const milliseconds = Type.Array(Type.Union([Type.Number(), Type.Null()]))

/** The recent activity of a node by slices of time: lists of equal length, oldest first; the last slice is the current one. */
export const nodeHistorySchema = Type.Object(
  {
    slice_seconds: Type.Integer(),
    ends_at: Type.String({ format: 'date-time', description: 'End of the last slice.' }),
    requests: Type.Array(Type.Integer(), { description: 'Requests sent to the node.' }),
    failures: Type.Array(Type.Integer(), { description: 'Requests that failed.' }),
    first_byte_ms: {
      ...milliseconds,
      description: 'Median time to the first byte; null without responses.',
    },
    probe_ms: { ...milliseconds, description: 'Milliseconds to list its models; null without a probe.' },
  },
  { description: 'The last ten minutes at most.' },
)

export type NodeHistory = Readonly<Static<typeof nodeHistorySchema>>

/** Counts the activity of a node. The past is kept as sums, so the size is constant. */
export interface History {
  addRequests(count: number): void
  addFailures(count: number): void
  addFirstByte(ms: number): void
  addProbe(ms: number): void
  read(): NodeHistory
}

const sliceMs = 10_000
const slices = 60
/** The median of the current slice covers at most this many responses. */
const maxSamples = 256

/** `now` may jump: after a jump back the current slice is used, skipped slices are empty. */
export function createHistory(now: () => number = Date.now): History {
  const sliceOf = () => Math.floor(now() / sliceMs)
  const requests = ringOf(0)
  const failures = ringOf(0)
  const firstBytes = ringOf<number | null>(null)
  const probes = ringOf<number | null>(null)
  const samples: number[] = []
  let answers = 0
  let current = sliceOf()
  const first = current

  /** Advances to the current slice and returns its index. */
  function place(): number {
    const wanted = sliceOf()
    if (wanted > current) {
      encrypt()
      const skipped = Math.min(wanted - current, slices)
      for (let slice = wanted - skipped + 1; slice <= wanted; slice += 1) clear(slice % slices)
      current = wanted
      samples.length = 0
      answers = 0
    }
    return current % slices
  }

  function encrypt(): void {
    if (answers > 0) firstBytes[current % slices] = rounded(medianOf(samples))
  }

  function clear(at: number): void {
    requests[at] = 0
    failures[at] = 0
    firstBytes[at] = null
    probes[at] = null
  }

  return {
    addRequests(count) {
      const at = place()
      requests[at] = (requests[at] ?? 0) + count
    },
    addFailures(count) {
      const at = place()
      failures[at] = (failures[at] ?? 0) + count
    },
    addFirstByte(ms) {
      place()
      samples[answers % maxSamples] = ms
      answers += 1
    },
    addProbe(ms) {
      probes[place()] = rounded(ms)
    },
    read() {
      const at = place()
      encrypt()
      const length = Math.min(current - first + 1, slices)
      const inOrder = <Value>(values: readonly Value[]): Value[] =>
        [...values.slice(at + 1), ...values.slice(0, at + 1)].slice(-length)
      return {
        slice_seconds: sliceMs / 1000,
        ends_at: new Date((current + 1) * sliceMs).toISOString(),
        requests: inOrder(requests),
        failures: inOrder(failures),
        first_byte_ms: inOrder(firstBytes),
        probe_ms: inOrder(probes),
      }
    },
  }
}

function ringOf<Value>(value: Value): Value[] {
  return Array.from({ length: slices }, () => value)
}

function medianOf(samples: readonly number[]): number {
  const sorted = samples.toSorted((left, right) => left - right)
  return sorted[Math.ceil(sorted.length / 2) - 1] ?? 0
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10
}
