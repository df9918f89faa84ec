import type { ReportedLoad } from '../nodes/concurrency.ts'

/** The gauges of requests that a server processes, and that wait inside it. */
const gauges = [
  { running: 'vllm:num_requests_running', waiting: 'vllm:num_requests_waiting' },
  { running: 'sglang:num_running_reqs', waiting: 'sglang:num_queue_reqs' },
  { running: 'tgi_batch_current_size', waiting: 'tgi_queue_size' },
] as const

/** Reads the load from Prometheus metrics; nulls when they do not contain it. */
export function readMetrics(text: string): Pick<ReportedLoad, 'running' | 'waiting'> {
  for (const { running, waiting } of gauges) {
    const counts = { running: sumOf(text, running), waiting: sumOf(text, waiting) }
    if (counts.running !== null && counts.waiting !== null) return counts
  }
  return { running: null, waiting: null }
}

/** The sum over the engines of a server. Each process of a tensor-parallel engine reports the same, so only the first counts. */
function sumOf(text: string, name: string): number | null {
  let sum: number | null = null
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    if (at > 0 && text[at - 1] !== '\n') continue
    const end = text.indexOf('\n', at)
    const [, labels = '', value = ''] =
      /^(?:\{([^}]*)\})? +(\S+)/.exec(text.slice(at + name.length, end === -1 ? undefined : end)) ?? []
    const count = Number(value)
    if (value === '' || !Number.isFinite(count) || count < 0) continue
    if (/\btp_rank="[1-9]/.test(labels)) continue
    sum = (sum ?? 0) + count
  }
  return sum
}

/** The slots in `/props` of llama.cpp or `/info` of TGI. */
export function readSlots(body: unknown): number | null {
  const { total_slots: slots, max_concurrent_requests: max } = Object(body) as Readonly<
    Record<string, unknown>
  >
  const count = slots ?? max
  return typeof count === 'number' && Number.isSafeInteger(count) && count > 0 ? count : null
}
