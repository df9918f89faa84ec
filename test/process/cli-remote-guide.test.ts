import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openPlatform } from '../support/platform.ts'
import type { Outcome } from './run-tutti.ts'

const guide = new URL('../../docs/guides/deploy-flows.md', import.meta.url)
const launcher = new URL('../../bin/tutti', import.meta.url).pathname

function runShell(script: string, cwd: string, env: Record<string, string>): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(
      'sh',
      ['-euc', script],
      { cwd, env: { ...process.env, ...env }, timeout: 240_000 },
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
    )
  })
}

test('the commands of the guide work in their order', { timeout: 300_000 }, async () => {
  await using closing = new AsyncDisposableStack()
  const platform = closing.use(await openPlatform())
  const folder = await mkdtemp(join(tmpdir(), 'tutti-deploy-'))
  closing.defer(() => rm(folder, { recursive: true }))
  const text = await readFile(guide, 'utf8')

  // In place of npx, which finds the command in a checkout only.
  const bin = join(folder, 'bin')
  await mkdir(bin)
  await writeFile(join(bin, 'npx'), `#!/bin/sh\nshift\nexec ${launcher} "$@"\n`)
  await chmod(join(bin, 'npx'), 0o755)

  const [, file = '', definition = ''] = /`(flows\/\S+\.flow\.json)`:\n\n```json\n(.*?)```/s.exec(text) ?? []
  await mkdir(join(folder, 'flows'))
  await writeFile(join(folder, file), definition)
  const script = [...text.matchAll(/^```sh\n(.*?)^```/gms)]
    .map(([, block = '']) => block)
    .join('\n')
    .replaceAll('http://127.0.0.1:3000', platform.url)
  const { code, stdout, stderr } = await runShell(script, folder, {
    PATH: `${bin}:${process.env['PATH']}`,
    DATABASE_URL: platform.database.url,
    XDG_CONFIG_HOME: join(folder, 'config'),
    TUTTI_URL: '',
    TUTTI_API_KEY: '',
    TUTTI_PROFILE: '',
  })
  expect(stderr).not.toMatch(/^tutti: /m)
  expect(code).toBe(0)
  for (const line of [
    'greeting: created, revision 1',
    'Hello, Ada!',
    'greeting: differs from revision 1',
    '    ~ step greet: transformations[0].template: "Hello, {{content}}!" → "Welcome, {{content}}!"',
    'There are changes.',
    'greeting: unchanged, revision 2, flows/greeting.flow.json',
    'Welcome, Ada!',
  ])
    expect(stdout.split('\n')).toContain(line)
  expect(await readdir(join(folder, 'examples'))).toContain('content_quality_review.flow.json')
  expect(stdout).toMatch(/ active +greeting +0 9 \* \* 1-5 /)
})

test('the CI examples of the guide use commands and options that exist', async () => {
  const text = await readFile(guide, 'utf8')
  const used = [...text.matchAll(/\.tutti-cli\/bin\/tutti (.*)$/gm)].map(([, command = '']) => command)
  expect(used.length).toBeGreaterThanOrEqual(4)
  const { stdout: help } = await runShell(`${launcher} flows push --help`, tmpdir(), {})
  for (const command of used) {
    expect(command).toMatch(/^flows push flows /)
    for (const [option] of command.matchAll(/--[a-z-]+/g)) expect(help).toContain(option)
  }
})
