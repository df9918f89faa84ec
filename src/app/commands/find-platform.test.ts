import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { findPlatform, isPlatformNamed, type PlatformOptions } from './find-platform.ts'
import { writeCredentials } from './remote/credentials.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-profiles-'))
  vi.stubEnv('XDG_CONFIG_HOME', folder)
  await writeCredentials({
    current: 'production',
    profiles: {
      production: { url: 'https://tutti.example.com', key: 'tk_production', username: 'ci' },
      staging: { url: 'https://staging.example.com', key: 'tk_staging', username: 'ci' },
    },
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  vi.stubEnv('XDG_CONFIG_HOME', folder)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

const staging = 'https://staging.example.com'
const noVariables = { TUTTI_URL: '', TUTTI_API_KEY: '', TUTTI_PROFILE: '' }
const ownKey = `tk_${'o'.repeat(40)}`
const here = { TUTTI_PUBLIC_URL: 'http://127.0.0.1:3999' }

test.each<
  [
    what: string,
    options: PlatformOptions,
    env: Record<string, string>,
    url: string,
    key: string,
    flags: string,
  ]
>([
  ['the current profile', {}, {}, 'https://tutti.example.com', 'tk_production', ''],
  ['--profile', { profile: 'staging' }, {}, staging, 'tk_staging', ' --profile staging'],
  ['TUTTI_PROFILE', {}, { TUTTI_PROFILE: 'staging' }, staging, 'tk_staging', ''],
  [
    '--profile before TUTTI_API_KEY',
    { profile: 'staging' },
    { TUTTI_API_KEY: 'tk_env' },
    staging,
    'tk_staging',
    ' --profile staging',
  ],
  ['--url of a profile', { url: `${staging}/` }, {}, staging, 'tk_staging', ` --url ${staging}/`],
  [
    '--url with TUTTI_API_KEY',
    { url: staging },
    { TUTTI_API_KEY: 'tk_env' },
    staging,
    'tk_env',
    ` --url ${staging}`,
  ],
  ['TUTTI_URL and TUTTI_API_KEY', {}, { TUTTI_URL: staging, TUTTI_API_KEY: 'tk_env' }, staging, 'tk_env', ''],
  ['--key with a profile', { key: 'tk_given' }, {}, 'https://tutti.example.com', 'tk_given', ''],
  ['TUTTI_API_KEY alone', {}, { TUTTI_API_KEY: ownKey, ...here }, 'http://127.0.0.1:3999', ownKey, ''],
])('%s', async (_what, options, env, url, key, flags) => {
  for (const [name, value] of Object.entries({ ...noVariables, ...env })) vi.stubEnv(name, value)
  expect(await findPlatform(options)).toMatchObject({ url, authorization: `Bearer ${key}`, flags })
})

test('a command leaves this machine only for a platform that was named', async () => {
  for (const [name, value] of Object.entries(noVariables)) vi.stubEnv(name, value)
  expect(await isPlatformNamed({})).toBe(true)
  vi.stubEnv('TUTTI_API_KEY', 'tk_env')
  expect(await isPlatformNamed({})).toBe(false)
  expect(await isPlatformNamed({ profile: 'staging' })).toBe(true)
})

test.each([
  ['http://tutti.example.com', true],
  ['http://10.0.0.7:3000', true],
  ['https://tutti.example.com', false],
  ['http://localhost:3000', false],
  ['http://127.0.0.1:3000', false],
  ['http://[::1]:3000', false],
])('%s warns about a key without encryption: %s', async (url, warns) => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  await findPlatform({ url, key: 'tk_given' })
  expect(printed.mock.calls.flat().join('\n').includes('is not encrypted')).toBe(warns)
})
