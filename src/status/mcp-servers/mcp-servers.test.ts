import { expect, test } from 'vitest'
import { judgeServers } from './mcp-servers.ts'

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

test('without a server there is nothing to miss', () => {
  expect(judgeServers(none).state).toBe('unconfigured')
  expect(judgeServers({ ...none, total: 2, enabled: 2, unknown: 2 })).toMatchObject({
    state: 'unconfigured',
    problem: 'No MCP server was looked at yet.',
  })
})

test('all, some or none of them are well', () => {
  const all = { ...none, total: 2, enabled: 2, online: 2, slowestMs: 40 }
  expect(judgeServers(all)).toEqual({ state: 'online', problem: null, responseMs: 40 })
  expect(judgeServers({ ...all, online: 1, offline: 1, names: ['files'] })).toEqual({
    state: 'degraded',
    problem: '1 of 2 MCP servers is not well: files.',
    responseMs: 40,
  })
  expect(judgeServers({ ...all, online: 0, degraded: 2, names: ['a', 'b'] }).state).toBe('degraded')
  const lost = { ...all, online: 0, offline: 6, slowestMs: null, names: ['a', 'b', 'c', 'd', 'e', 'f'] }
  expect(judgeServers(lost)).toEqual({
    state: 'offline',
    problem: '6 of 6 MCP servers are not well: a, b, c, d, e, ….',
    responseMs: null,
  })
  expect(judgeServers({ ...all, slowestMs: null })).toEqual({
    state: 'online',
    problem: null,
    responseMs: null,
  })
})
