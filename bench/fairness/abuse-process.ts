import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { constants, setPriority } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { AbuseOptions, AbuseReport } from './messages.ts'

/**
 * An account that uses all it can: it starts executions that call a slow service and have slow callbacks, reads without pause, and keeps
 * streams open. It runs with the lowest priority, so that its own processor time is not measured. Begins and ends at a message.
 */
setPriority(constants.priority.PRIORITY_LOW)
let stop = new AbortController()
let report: AbuseReport = { answered: 0, refused: 0 }
const slow = createServer((request, response) => {
  request.resume()
  // What is left after the end must not be measured with the next contender.
  setTimeout(() => response.writeHead(204).end(), stop.signal.aborted ? 0 : 2000)
})
slow.listen(0, '127.0.0.1', () => process.send?.((slow.address() as AddressInfo).port))
process.on('disconnect', () => process.exit())
const slowUrl = () => `http://127.0.0.1:${(slow.address() as AddressInfo).port}/`

process.on('message', (message: AbuseOptions | 'end') => {
  if (message === 'end') {
    stop.abort()
    process.send?.(report)
    return
  }
  stop = new AbortController()
  report = { answered: 0, refused: 0 }
  const { starters, readers, streams } = message
  const start = {
    flow_id: 'slow',
    context: {},
    options: { callback_config: { webhook_url: slowUrl(), progress_callbacks: true } },
  }
  for (let count = 0; count < starters; count += 1)
    void repeat(message, '/ai-workflows/api/execute-flow-async', start)
  for (let count = 0; count < readers; count += 1)
    void repeat(message, '/ai-workflows/api/executions?limit=50')
  for (let count = 0; count < streams; count += 1) void repeat(message, '/ai-orchestra/api/live-stream')
})

async function repeat({ url, key }: AbuseOptions, path: string, body?: object): Promise<void> {
  const { signal } = stop
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const post = body && { method: 'POST', body: JSON.stringify(body) }
  while (!signal.aborted) {
    try {
      const response = await fetch(url + path, { headers, signal, ...post })
      if (response.ok) report.answered += 1
      else report.refused += 1
      await response.text()
    } catch {
      await delay(10)
    }
  }
}
