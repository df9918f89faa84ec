import { type FromServer, now, type ToServer } from './messages.ts'

/** About the size of an event of the platform. */
const body = {
  agent_id: 'content_reviewer',
  avg_response_time: 1.25,
  success_rate: 98.5,
  executions_24h: 1234,
}

function reply(message: FromServer): void {
  process.send?.(message)
}

/** Handles the requests of the benchmark, and reports the address of this server. */
export function handleRequests(
  port: number,
  tell: (data: readonly Readonly<Record<string, unknown>>[]) => Promise<void>,
): void {
  process.on('message', (message: ToServer) => {
    if (message.ask === 'memory') {
      globalThis.gc?.()
      reply({ residentBytes: process.memoryUsage().rss })
      return
    }
    if (message.ask === 'cpu') {
      const { user, system } = process.cpuUsage()
      reply({ cpuMs: (user + system) / 1000 })
      return
    }
    const { run, count } = message
    const data = Array.from({ length: count }, (_, index) => ({ ...body, n: `${run}-${index + 1}` }))
    const toldAt = now()
    void tell(data).then(() => reply({ toldAt }))
  })
  reply({ port })
}
