import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { bodyOf } from './api.ts'
import { ApiFailure } from './api-failure.ts'
import type { PlainRequest } from './plain-request.ts'
import { recordRequests, writeCurl } from './write-curl.ts'

const run = promisify(execFile)

/** The arguments that a shell passes to curl. */
async function argumentsOf(request: PlainRequest): Promise<string[]> {
  const script = `curl() { for it in "$@"; do printf '%s\\0' "$it"; done; }\n${writeCurl(request)}`
  const { stdout } = await run('sh', ['-c', script], {
    env: { TUTTI_API_KEY: 'tk_key', PASSWORD: 'of mine', X_API_KEY: 'k', GITHUB_PAT: 'pat' },
  })
  return stdout.split('\0').slice(0, -1)
}

const url = 'http://localhost:3000/api/v1/roles'

test('a shell passes the request to curl unchanged, with any characters', async () => {
  const body = { label: `It's "quoted" $HOME \`id\` \\ 100% !`, lines: 'a\nb\tc', none: null, empty: '' }
  const given = await argumentsOf({ method: 'POST', url: `${url}?a=b&c='d'`, body: JSON.stringify(body) })
  expect(given.slice(0, -1)).toEqual([
    `${url}?a=b&c='d'`,
    '-H',
    'Authorization: Bearer tk_key',
    '-H',
    'Content-Type: application/json',
    '-d',
  ])
  expect(JSON.parse(given.at(-1) ?? '')).toEqual(body)
})

test('the default method is left out', () => {
  expect(writeCurl({ method: 'GET', url })).toBe(
    `curl ${url} \\\n  -H "Authorization: Bearer $TUTTI_API_KEY"\n`,
  )
  expect(writeCurl({ method: 'POST', url })).toContain(`curl -X POST ${url} `)
  expect(writeCurl({ method: 'DELETE', url })).toContain(`curl -X DELETE ${url} `)
  expect(writeCurl({ method: 'PUT', url, body: '{}', streams: true })).toContain(`curl -N -X PUT ${url} `)
})

test('secrets become shell variables', async () => {
  const body = {
    username: 'eva',
    password: 'correct horse',
    headers: { 'x-api-key': 'sk-1' },
    max_tokens: 5,
    env: { GITHUB_PAT: 'ghp_1' },
    secret: '',
  }
  const request = { method: 'POST', url, body: JSON.stringify(body) }
  expect(writeCurl(request)).not.toMatch(/correct|sk-1|ghp_1/)
  const given = await argumentsOf(request)
  expect(JSON.parse(given.at(-1) ?? '')).toEqual({
    ...body,
    password: 'of mine',
    headers: { 'x-api-key': 'k' },
    env: { GITHUB_PAT: 'pat' },
  })
})

test('user input never leaves its quotes, even if it looks like a variable', async () => {
  const mark = '\uE000'
  const body = {
    label: `${mark}(echo caught)${mark}`,
    [`${mark}HOME${mark}`]: mark.repeat(3),
    password: `${mark}x`,
  }
  const given = await argumentsOf({ method: 'POST', url, body: JSON.stringify(body) })
  expect(JSON.parse(given.at(-1) ?? '')).toEqual({ ...body, password: 'of mine' })
})

const origin = 'http://tutti.test'

test('the first request of an action is recorded, and the following code does not run', async () => {
  let isDone = false
  const recorded = await recordRequests(origin, async ({ client }) => {
    await bodyOf(client.POST('/api/v1/roles', { body: { name: 'night', label: 'Night', permissions: [] } }))
    isDone = true
  })
  expect(recorded).toEqual([
    {
      method: 'POST',
      url: `${origin}/api/v1/roles`,
      body: JSON.stringify({ name: 'night', label: 'Night', permissions: [] }),
    },
  ])
  expect(isDone).toBe(false)
})

test('an action on many items records one request for each', async () => {
  const recorded = await recordRequests(origin, async ({ client }) => {
    for (const id of ['a', 'b']) {
      await client.DELETE('/api/v1/sessions/{id}', { params: { path: { id } } }).catch((error: unknown) => {
        if (!(error instanceof ApiFailure)) throw error
      })
    }
  })
  expect(recorded.map((request) => `${request.method} ${new URL(request.url).pathname}`)).toEqual([
    'DELETE /api/v1/sessions/a',
    'DELETE /api/v1/sessions/b',
  ])
})

test('an action without requests records none', async () => {
  expect(await recordRequests(origin, () => Promise.reject(new Error('not an object in JSON')))).toEqual([])
})
