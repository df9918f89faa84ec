import { expect, test } from 'vitest'
import { summariseServers } from './mcp-servers.ts'

const none = {
  total: 0,
  enabled: 0,
  unknown: 0,
  online: 0,
  degraded: 0,
  offline: 0,
  slowestMs: null,
  updatedAt: null,
  names: [],
}

test('without a checked server the service is unconfigured', () => {
  expect(summariseServers(none).state).toBe('unconfigured')
  expect(summariseServers({ ...none, total: 2, enabled: 2, unknown: 2 })).toMatchObject({
    state: 'unconfigured',
    problem: 'No MCP server has been checked yet.',
  })
})

test('the service is online, degraded or offline by its servers', () => {
  const all = { ...none, total: 2, enabled: 2, online: 2, slowestMs: 40 }
  expect(summariseServers(all)).toEqual({ state: 'online', problem: null, responseMs: 40 })
  expect(summariseServers({ ...all, online: 1, offline: 1, names: ['files'] })).toEqual({
    state: 'degraded',
    problem: '1 of 2 MCP servers has problems: files.',
    responseMs: 40,
  })
  expect(summariseServers({ ...all, online: 0, degraded: 2, names: ['a', 'b'] }).state).toBe('degraded')
  const lost = { ...all, online: 0, offline: 6, slowestMs: null, names: ['a', 'b', 'c', 'd', 'e', 'f'] }
  expect(summariseServers(lost)).toEqual({
    state: 'offline',
    problem: '6 of 6 MCP servers have problems: a, b, c, d, e, ….',
    responseMs: null,
  })
  expect(summariseServers({ ...all, slowestMs: null })).toEqual({
    state: 'online',
    problem: null,
    responseMs: null,
  })
})
