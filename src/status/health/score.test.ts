import { describe, expect, test } from 'vitest'
import { defaultConfig } from '../config/config.ts'
import { type ServiceName, type ServiceState, serviceNames } from '../services/service.ts'
import { judgeHealth } from './score.ts'

const { weights } = defaultConfig

/** Everything is online but these. */
function health(states: Partial<Record<ServiceName, ServiceState>>, given = weights) {
  return judgeHealth(
    serviceNames.map((name) => ({ name, state: states[name] ?? 'online' })),
    given,
  )
}

const nothingButOurs = {
  ollama: 'unconfigured',
  openai: 'unconfigured',
  anthropic: 'unconfigured',
  vector_db: 'unconfigured',
  mcp: 'unconfigured',
} as const

describe('the score', () => {
  test('is 100 when all is well', () => {
    expect(health({})).toEqual({
      score: 100,
      level: 'healthy',
      message: 'All 8 configured services are well.',
    })
  })

  test('loses the weight of what is offline, and half of that of what is degraded', () => {
    const total = serviceNames.reduce((sum, name) => sum + weights[name], 0)
    expect(health({ openai: 'offline' }).score).toBe(Math.round((100 * (total - weights.openai)) / total))
    expect(health({ queue: 'degraded' }).score).toBe(Math.round((100 * (total - weights.queue / 2)) / total))
  })

  test('does not count what is unconfigured', () => {
    expect(health(nothingButOurs)).toMatchObject({ score: 100, level: 'healthy' })
    expect(health({ ...nothingButOurs, disk: 'offline' }).score).toBe(83)
  })

  test('takes equal weights when those that are left have none', () => {
    const ours = { ...weights, database: 0, queue: 0, disk: 0 }
    expect(health({ ...nothingButOurs, disk: 'degraded' }, ours).score).toBe(83)
  })

  test('is 0 before anything was looked at', () => {
    expect(judgeHealth([], weights)).toEqual({
      score: 0,
      level: 'critical',
      message: 'Nothing has been looked at yet.',
    })
  })
})

describe('the level', () => {
  test('is healthy only when nothing is offline, however little that weighs', () => {
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

  test('is critical below 50, and whenever the database is offline', () => {
    const most = { openai: 'offline', anthropic: 'offline', ollama: 'offline', queue: 'offline' } as const
    expect(health({ ...most, disk: 'degraded' })).toMatchObject({ score: 43, level: 'critical' })
    expect(health({ database: 'offline' })).toMatchObject({ score: 71, level: 'critical' })
  })
})
