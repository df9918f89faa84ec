import { describe, expect, test } from 'vitest'
import { defaultConfig } from '../config/config.ts'
import { type ServiceName, type ServiceState, serviceNames } from '../services/service.ts'
import { scoreHealth } from './score.ts'

const { weights } = defaultConfig

/** All services but `gemini`, which is not configured, are online except these. */
function health(states: Partial<Record<ServiceName, ServiceState>>, given = weights) {
  return scoreHealth(
    serviceNames.map((name) => ({
      name,
      state: states[name] ?? (name === 'gemini' ? 'unconfigured' : 'online'),
    })),
    given,
  )
}

const ownServicesOnly = {
  ollama: 'unconfigured',
  openai: 'unconfigured',
  anthropic: 'unconfigured',
  vector_db: 'unconfigured',
  mcp: 'unconfigured',
} as const

describe('the score', () => {
  test('is 100 when all services are online', () => {
    expect(health({})).toEqual({
      score: 100,
      level: 'healthy',
      message: 'All 8 configured services are online.',
    })
  })

  test('loses the weight of offline services and half the weight of degraded ones', () => {
    const total = serviceNames.reduce((sum, name) => sum + weights[name], -weights.gemini)
    expect(health({ openai: 'offline' }).score).toBe(Math.round((100 * (total - weights.openai)) / total))
    expect(health({ queue: 'degraded' }).score).toBe(Math.round((100 * (total - weights.queue / 2)) / total))
  })

  test('ignores unconfigured services', () => {
    expect(health(ownServicesOnly)).toMatchObject({ score: 100, level: 'healthy' })
    expect(health({ ...ownServicesOnly, disk: 'offline' }).score).toBe(83)
  })

  test('uses equal weights when all configured services have weight 0', () => {
    const ours = { ...weights, database: 0, queue: 0, disk: 0 }
    expect(health({ ...ownServicesOnly, disk: 'degraded' }, ours).score).toBe(83)
  })

  test('is 0 before the first check', () => {
    expect(scoreHealth([], weights)).toEqual({
      score: 0,
      level: 'critical',
      message: 'No service has been checked yet.',
    })
  })
})

describe('the level', () => {
  test('is not healthy while any service is offline, whatever its weight', () => {
    expect(health({ mcp: 'offline' })).toMatchObject({
      score: 95,
      level: 'degraded',
      message: 'Offline: mcp.',
    })
    expect(health({ mcp: 'degraded' })).toMatchObject({
      score: 98,
      level: 'healthy',
      message: 'Degraded: mcp.',
    })
  })

  test('is degraded below 90', () => {
    expect(health({ database: 'degraded' })).toMatchObject({ score: 86, level: 'degraded' })
  })

  test('is critical below 50 or while the database is offline', () => {
    const manyOffline = {
      openai: 'offline',
      anthropic: 'offline',
      ollama: 'offline',
      queue: 'offline',
    } as const
    expect(health({ ...manyOffline, disk: 'degraded' })).toMatchObject({ score: 43, level: 'critical' })
    expect(health({ database: 'offline' })).toMatchObject({ score: 71, level: 'critical' })
  })
})

test('Each further model provider has the weight of its kind', () => {
  const own = { name: 'database', state: 'online' } as const
  const given = { ...weights, database: 30, providers: 10 }
  expect(scoreHealth([own, { name: 'provider:groq', state: 'offline' }], given)).toEqual({
    score: 75,
    level: 'degraded',
    message: 'Offline: provider:groq.',
  })
  const both = [
    own,
    { name: 'provider:a', state: 'offline' },
    { name: 'provider:b', state: 'degraded' },
  ] as const
  expect(scoreHealth(both, given).score).toBe(70)
})
