import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { patience } from '../support/patience.ts'
import { openPlatform, type PlatformInProcess } from '../support/platform.ts'
import { type Outcome, runTutti } from './run-tutti.ts'

const key = `tk_${'k'.repeat(40)}`

interface OtherServer extends AsyncDisposable {
  readonly url: string
  /** The Authorization headers it got. */
  readonly received: (string | undefined)[]
}

/** A server that is not the platform. */
async function startOther(answer: RequestListener): Promise<OtherServer> {
  const received: (string | undefined)[] = []
  const server = createServer((request, response) => {
    received.push(request.headers.authorization)
    answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

// Commands are processes of their own, which take ten seconds each on a busy machine.
describe('tutti login', { timeout: 300_000 * patience }, () => {
  let platform: PlatformInProcess
  let config: string
  let file: string
  beforeAll(async () => {
    platform = await openPlatform({ TUTTI_API_KEY: key })
    config = await mkdtemp(join(tmpdir(), 'tutti-login-'))
    file = join(config, 'tutti', 'credentials.json')
  })
  afterAll(async () => {
    await platform?.[Symbol.asyncDispose]()
    if (config !== undefined) await rm(config, { recursive: true })
  })

  const tutti = (args: readonly string[], input = '', env: Record<string, string> = {}): Promise<Outcome> =>
    runTutti(args, {
      env: { XDG_CONFIG_HOME: config, TUTTI_API_KEY: '', TUTTI_URL: '', TUTTI_PROFILE: '', ...env },
      input,
    })
  const signIn = (...args: readonly string[]) =>
    tutti(['login', '--url', `${platform.url}/`, ...args], `${key}\n`)

  test('keeps the key for its owner alone, and later commands use it', async () => {
    const signedIn = await signIn()
    expect(signedIn).toMatchObject({ code: 0, stdout: expect.stringContaining('Signed in as admin.') })
    expect(signedIn.stdout + signedIn.stderr).not.toContain(key)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      version: 1,
      current: 'default',
      profiles: { default: { url: platform.url, key, username: 'admin' } },
    })
    expect(JSON.parse((await tutti(['runs', 'list', '--json'])).stdout)).toEqual([])

    await signIn('--profile', 'staging')
    const listed = await tutti(['profiles', 'list', '--json'])
    expect(JSON.parse(listed.stdout)).toEqual([
      { name: 'default', url: platform.url, username: 'admin', current: false },
      { name: 'staging', url: platform.url, username: 'admin', current: true },
    ])
    expect((await tutti(['profiles', 'use', 'default'])).code).toBe(0)
    const forgotten = await tutti(['logout'])
    expect(forgotten.stdout).toMatch(
      /^Forgot the profile "default"\..*\nNo profile is the default now\. .*staging\n$/,
    )
    expect(await readFile(file, 'utf8')).not.toContain('default')
    expect((await tutti(['runs', 'list'])).stderr).toMatch(
      /^tutti: An API key is needed\. Sign in: npx tutti login/,
    )
    expect((await tutti(['runs', 'list', '--profile', 'staging', '--json'])).stdout).toBe('[]\n')
    await tutti(['logout', '--all'])
    expect(await readFile(file, 'utf8')).not.toContain(key)
  })

  test('a key that the platform refuses is not kept', async () => {
    const wrong = `tk_${'w'.repeat(40)}`
    const { code, stdout, stderr } = await tutti(
      ['login', '--url', platform.url, '--profile', 'wrong'],
      `${wrong}\n`,
    )
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('tutti: This API key is not valid.')
    expect(stderr).not.toContain(wrong)
    const spaced = await tutti(['login', '--url', platform.url, '--profile', 'wrong', '--key', `${wrong} x`])
    expect(spaced.code).toBe(2)
    expect(spaced.stderr).toContain('has a space, a line break')
    expect(spaced.stderr).not.toContain(wrong)
    expect((await tutti(['runs', 'list', '--profile', 'wrong'])).stderr).toMatch(
      /There is no profile "wrong"/,
    )
  })

  test('the key of a profile goes to its own address alone', async () => {
    await signIn()
    await using other = await startOther((_, response) => response.end('{}'))
    const refused = await tutti(['runs', 'list', '--url', other.url])
    expect(refused.code).toBe(2)
    expect(refused.stderr).toMatch(/^tutti: An API key is needed for http/)
    expect(other.received).toEqual([])

    const own = `tk_${'o'.repeat(40)}`
    const elsewhere = await tutti(['runs', 'list'], '', { TUTTI_API_KEY: own, TUTTI_PUBLIC_URL: other.url })
    expect(elsewhere.stderr).toMatch(/^tutti: What answers at .* is not a Tutti platform/)
    expect(other.received).toEqual([`Bearer ${own}`])
  })

  test('a redirect is reported and not followed', async () => {
    await using target = await startOther((_, response) => response.end('{}'))
    await using other = await startOther((_, response) =>
      response.writeHead(307, { location: `${target.url}/ai-workflows/api/executions` }).end(),
    )
    const { code, stderr } = await tutti(['runs', 'list', '--url', other.url, '--key', 'tk_x'])
    expect(code).toBe(2)
    expect(stderr).toContain(`redirects to ${target.url}`)
    expect(target.received).toEqual([])
  })

  test.each([
    ['a page of something else', 200, 'text/html', '<html></html>', /is not a Tutti platform/],
    ['an error of a proxy', 502, 'text/html', 'Bad gateway', /with status 502 is not a Tutti platform/],
  ])('%s is no platform', async (_what, status, type, body, message) => {
    await using other = await startOther((_, response) =>
      response.writeHead(status, { 'content-type': type }).end(body),
    )
    const { code, stderr } = await tutti(['runs', 'list', '--url', other.url, '--key', 'tk_x'])
    expect(code).toBe(2)
    expect(stderr).toMatch(message)
  })

  test('a busy platform is asked again after the time it names', async () => {
    let asked = 0
    await using other = await startOther((_, response) => {
      asked += 1
      if (asked > 1) response.end('{"executions":[],"total":0}')
      else response.writeHead(429, { 'retry-after': '1' }).end('{"error":{"message":"Too many."}}')
    })
    const { code, stdout, stderr } = await tutti([
      'runs',
      'list',
      '--json',
      '--url',
      other.url,
      '--key',
      'tk_x',
    ])
    expect([code, stdout, asked]).toEqual([0, '[]\n', 2])
    expect(stderr).toContain('busy; trying again in 1 s')
  })

  test.each([
    [['login', '--url', 'ftp://x'], /^tutti: --url must be an address/],
    [['login', '--url', 'http://name:word@127.0.0.1'], /must not have a name and password/],
    [['login', '--profile', '../x'], /cannot name a profile/],
    [['runs', 'list', '--url', 'http://127.0.0.1:1', '--profile', 'x'], /Give --url or --profile, not both/],
    [['runs', 'lisst'], /unknown command 'lisst'/],
    [['runs', 'list', '--limit', '0'], /must be a whole number from 1 to 10000/],
  ])('%j is reported, and ends with 2', async (args, message) => {
    const { code, stdout, stderr } = await tutti(args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(message)
  })
})
