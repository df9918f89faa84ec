import { expect, test, vi } from 'vitest'
import { createLocalLimiter } from '#cluster'
import { createLogger } from '#kernel/telemetry'
import type { ProcessLink } from './process-link.ts'
import { type CountCall, countAtSupervisor, handleCounts } from './shared-counts.ts'

const log = createLogger({ level: 'silent', format: 'json' })

/** The link of a process to its supervisor. What is sent passes as JSON, as between processes. */
const linkTo = (handle: (call: CountCall) => Promise<unknown>) =>
  ({
    async request(_name: string, _timeoutMs: number, call: CountCall) {
      const result = await handle(JSON.parse(JSON.stringify(call)) as CountCall)
      return result === undefined ? undefined : JSON.parse(JSON.stringify(result))
    },
  }) as ProcessLink

test('processes count together at their supervisor', async () => {
  const link = linkTo(handleCounts(createLocalLimiter()))
  const [one, other] = [countAtSupervisor(link, log), countAtSupervisor(link, log)]
  const rule = { limit: 2, windowSeconds: 60 }
  expect(await one.take('requests', rule)).toMatchObject({ allowed: true, remaining: 1 })
  expect(await other.take('requests', rule)).toMatchObject({ allowed: true, remaining: 0 })
  const { allowed, resetsAt } = await one.take('requests', rule)
  expect(allowed).toBe(false)
  expect(resetsAt.getTime()).toBeGreaterThan(Date.now())
  await one.amounts.add('tokens', 60, 5)
  expect(await other.amounts.read('tokens', { limit: 6, windowSeconds: 60 })).toMatchObject({ remaining: 1 })
})

test('a supervisor that does not respond refuses requests as overloaded, and an amount is not lost silently', async () => {
  const counts = countAtSupervisor(
    linkTo(async () => {
      throw new Error('no response within 5000 ms')
    }),
    log,
  )
  const refusal = { code: 'overloaded', status: 503, retryAfterSeconds: 2 }
  await expect(counts.take('requests', { limit: 1, windowSeconds: 60 })).rejects.toMatchObject(refusal)
  await expect(counts.amounts.read('tokens', { limit: 1, windowSeconds: 60 })).rejects.toMatchObject(refusal)
  const logged = vi.spyOn(log, 'error')
  await counts.amounts.add('tokens', 60, 5)
  expect(logged).toHaveBeenCalledOnce()
})
