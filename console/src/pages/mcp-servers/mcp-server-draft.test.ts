import { expect, test } from 'vitest'
import { draftOf, emptyDraft, isReachedAnew, transportOf } from './mcp-server-draft.ts'

test('headers are parsed line by line, and a name without a value keeps the stored one', () => {
  const headers = 'Authorization: Bearer a:b\n\nX-Team:\n X-Other : c '
  expect(transportOf({ ...emptyDraft, url: ' https://mcp.example/mcp ', headers })).toEqual({
    type: 'http',
    url: 'https://mcp.example/mcp',
    headers: { Authorization: 'Bearer a:b', 'X-Team': null, 'X-Other': 'c' },
  })
})

test('a stdio transport has arguments and environment variables', () => {
  const draft = {
    ...emptyDraft,
    type: 'stdio' as const,
    command: 'npx',
    args: '-y\nserver one',
    env: 'A=b=c\nD=',
  }
  expect(transportOf(draft)).toEqual({
    type: 'stdio',
    command: 'npx',
    args: ['-y', 'server one'],
    env: { A: 'b=c', D: null },
  })
})

test('an unchanged server has the same transport', () => {
  const server = {
    name: 'files',
    transport: { type: 'stdio' as const, command: 'npx', args: ['-y', 'x'], env: ['TOKEN'] },
  }
  const draft = draftOf(server)
  expect(draft).toMatchObject({ name: 'files', args: '-y\nx', env: 'TOKEN=' })
  expect(isReachedAnew({ ...draft, name: 'others' }, server)).toBe(false)
  expect(isReachedAnew({ ...draft, env: 'TOKEN=new' }, server)).toBe(true)
  const remote = {
    name: 'a',
    transport: { type: 'http' as const, url: 'https://a.example/', headers: ['A'] },
  }
  expect(isReachedAnew(draftOf(remote), remote)).toBe(false)
})
