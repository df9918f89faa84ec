import { constants, setPriority } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { AbuseOptions, AbuseReport, AbusiveRequest } from './messages.ts'

/**
 * The abusive account: repeats requests without pauses. The process has the lowest priority, so that its own processor time is not
 * measured. The abuse begins with a message and ends with the message `end`, which is answered with a report.
 */
setPriority(constants.priority.PRIORITY_LOW)
let stop = new AbortController()
let report: AbuseReport = { answered: 0, refused: 0 }
process.send?.('ready')
process.on('disconnect', () => process.exit())
process.on('message', (message: AbuseOptions | 'end') => {
  stop.abort()
  if (message === 'end') {
    process.send?.(report)
    return
  }
  stop = new AbortController()
  report = { answered: 0, refused: 0 }
  for (const request of message.requests) {
    const body = JSON.stringify(request.body)
    for (let loop = 0; loop < request.loops; loop += 1) void repeat(message, request, body)
  }
})

async function repeat({ url, key }: AbuseOptions, { path }: AbusiveRequest, body: string): Promise<void> {
  const { signal } = stop
  const counts = report
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  while (!signal.aborted) {
    try {
      const response = await fetch(url + path, { method: 'POST', headers, body, signal })
      await response.arrayBuffer()
      if (response.ok) counts.answered += 1
      else counts.refused += 1
    } catch {
      // The abuse has ended, or the server has closed the connection.
      await delay(10)
    }
  }
}
