import { Type } from 'typebox'
import { startRunningTimer } from '#kernel/timers'
import type { HttpServer } from './http-server.ts'

/** One condition of readiness; `check` throws or rejects with the reason when it fails. */
export interface ReadinessCheck {
  readonly name: string
  readonly check: () => Promise<void>
}

export interface Readiness {
  readonly ready: boolean
  readonly checks: Readonly<Record<string, string>>
}

/** Probes have short timeouts; a check that takes longer has failed. */
const maxCheckMs = 2000

/** Runs all checks concurrently; each result is `ok` or the reason of the failure. Does not throw. */
export async function checkReadiness(checks: readonly ReadinessCheck[]): Promise<Readiness> {
  const results = await Promise.all(
    checks.map(async ({ name, check }) => {
      try {
        await within(maxCheckMs, check())
        return [name, 'ok'] as const
      } catch (error) {
        return [name, error instanceof Error ? error.message : 'failed'] as const
      }
    }),
  )
  return { ready: results.every(([, result]) => result === 'ok'), checks: Object.fromEntries(results) }
}

async function within(limitMs: number, work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>()
  using _ = startRunningTimer(() => late.reject(new Error(`no response within ${limitMs / 1000} s`)), limitMs)
  await Promise.race([work, late.promise])
}

const readinessSchema = Type.Object({
  status: Type.Union([Type.Literal('ready'), Type.Literal('not_ready')]),
  checks: Type.Record(Type.String(), Type.String(), {
    description: 'Result of each check: `ok`, or the reason why it failed.',
  }),
})

/**
 * Adds `/healthz` (the process is alive) and `/readyz` (it can do its work). Both are open on every service. Throws when the server
 * already has one of them.
 */
export function addHealthRoutes(routes: HttpServer, checks: readonly ReadinessCheck[]): void {
  routes.get(
    '/healthz',
    {
      config: { access: { open: 'liveness probe of a process supervisor' }, neverShed: true },
      schema: {
        summary: 'Get liveness',
        description: 'Responds while the process is alive. Checks no dependencies.',
        response: {
          200: Type.Object({ status: Type.Literal('alive') }, { description: 'The process is alive.' }),
        },
      },
    },
    async () => ({ status: 'alive' as const }),
  )
  routes.get(
    '/readyz',
    {
      config: { access: { open: 'readiness probe of a load balancer' }, neverShed: true },
      schema: {
        summary: 'Get readiness',
        description: 'Runs every readiness check and returns the result of each.',
        response: {
          200: { ...readinessSchema, description: 'Ready.' },
          503: { ...readinessSchema, description: 'Not ready; `checks` contains the reasons.' },
        },
      },
    },
    async (_request, reply) => {
      const { ready, checks: results } = await checkReadiness(checks)
      reply.code(ready ? 200 : 503).header('cache-control', 'no-store')
      return { status: ready ? ('ready' as const) : ('not_ready' as const), checks: results }
    },
  )
}
