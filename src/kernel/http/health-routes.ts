import { Type } from 'typebox'
import type { HttpServer } from './http-server.ts'

/** One condition of readiness; `check` throws or rejects with the reason when it does not hold. */
export interface ReadinessCheck {
  readonly name: string
  readonly check: () => Promise<void>
}

export interface Readiness {
  readonly ready: boolean
  readonly checks: Readonly<Record<string, string>>
}

/** Whoever asks gives up soon; a check that takes longer has failed. */
const longestCheckMs = 2000

/** Runs all checks side by side; each is `ok` or the reason why not. */
export async function checkReadiness(checks: readonly ReadinessCheck[]): Promise<Readiness> {
  const results = await Promise.all(
    checks.map(async ({ name, check }) => {
      try {
        await within(longestCheckMs, check())
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
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${limitMs / 1000} s`)), limitMs)
  try {
    await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

const readinessSchema = Type.Object({
  status: Type.Union([Type.Literal('ready'), Type.Literal('not_ready')]),
  checks: Type.Record(Type.String(), Type.String(), {
    description: 'Each condition: `ok`, or why it does not hold.',
  }),
})

/** `/healthz` says that the process lives, `/readyz` that it can do its work. Both are open on every service. */
export function addHealthRoutes(routes: HttpServer, checks: readonly ReadinessCheck[]): void {
  routes.get(
    '/healthz',
    {
      config: { access: { open: 'asked by whatever keeps the process running' }, neverShed: true },
      schema: {
        summary: 'Is the process alive?',
        response: { 200: Type.Object({ status: Type.Literal('alive') }, { description: 'It is.' }) },
      },
    },
    async () => ({ status: 'alive' as const }),
  )
  routes.get(
    '/readyz',
    {
      config: { access: { open: 'asked by whatever sends traffic here' }, neverShed: true },
      schema: {
        summary: 'Can it do its work?',
        description: 'Each condition is checked anew and named.',
        response: {
          200: { ...readinessSchema, description: 'Ready.' },
          503: { ...readinessSchema, description: 'Not ready; the checks say why.' },
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
