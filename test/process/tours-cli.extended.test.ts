import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type OpenPlatform, openPlatform } from '../support/platform.ts'
import { runTutti } from './run-tutti.ts'

const key = `tk_${'t'.repeat(40)}`
const toursPath = '/admin/structure/recipe-onboarding/tours'

/** Each of these starts processes. */
describe('tutti tours', () => {
  let platform: OpenPlatform
  let folder: string
  beforeAll(async () => {
    platform = await openPlatform({ TUTTI_API_KEY: key })
    const made = await call('', {
      label: 'Tea time',
      template: 'basic',
      routes: [{ route_name: 'system.admin' }],
    })
    if (made.status !== 201) throw new Error(await made.text())
  })
  afterAll(() => platform?.[Symbol.asyncDispose]())
  /** Resets the state for a retried test. */
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tutti-tours-'))
    for (const id of ['tea_time_2', 'from_a_pipe', 'elsewhere']) await call(`/${id}`, undefined, 'DELETE')
  })
  afterEach(() => rm(folder, { recursive: true }))

  const call = (path: string, body?: object, method = body === undefined ? 'GET' : 'POST') =>
    fetch(`${platform.url}${toursPath}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json',
        'content-type': 'application/json',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })

  const tipsOf = async (id: string) => {
    const { tour } = (await (await call(`/${id}`)).json()) as { tour: { tips: unknown[] } }
    return tour.tips
  }

  const tutti = (args: readonly string[], input?: string) =>
    runTutti(['tours', ...args], {
      env: { TUTTI_API_KEY: key, TUTTI_PUBLIC_URL: platform.url },
      cwd: folder,
      ...(input !== undefined && { input }),
    })

  test('exports to a file, validates it without a platform, and imports the same', async () => {
    const exported = await tutti(['export', 'tea_time'])
    expect(exported).toEqual({ code: 0, stdout: 'tea_time is exported to tea_time.zip\n', stderr: '' })

    const alone = { TUTTI_PUBLIC_URL: 'http://127.0.0.1:1', DATABASE_URL: 'postgres://127.0.0.1:1/none' }
    const checked = await runTutti(['tours', 'validate', 'tea_time.zip'], { env: alone, cwd: folder })
    expect(checked.stderr).toBe('')
    expect(checked.code).toBe(0)
    expect(checked.stdout).toMatch(/^tea_time\.zip is a sound recipe: Tea time \(\d+ steps\)\n/)

    const imported = await tutti(['import', 'tea_time.zip'])
    expect(imported.stderr).toBe('')
    expect(imported.stdout).toMatch(
      /^tea_time_2 is imported as a draft with \d+ steps: Tea time \(tea_time is taken\)\n$/,
    )
    expect(await tipsOf('tea_time_2')).toEqual(await tipsOf('tea_time'))

    const again = await tutti(['export', 'tea_time'])
    expect(again).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'tutti: tea_time.zip is there already. Name another file with --output, or the same to replace it.\n',
    })
    const first = await readFile(join(folder, 'tea_time.zip'))
    expect((await tutti(['export', 'tea_time', '--output', 'tea_time.zip'])).code).toBe(0)
    expect(Buffer.compare(await readFile(join(folder, 'tea_time.zip')), first)).toBe(0)
  })

  test('works through a pipe', async () => {
    const { stdout } = await tutti([
      'export',
      'tea_time',
      '--format',
      'json',
      '--output',
      '-',
      '--name',
      'Piped',
    ])
    expect(JSON.parse(stdout)).toMatchObject({ format: 'tutti.recipe', name: 'Piped', machine_name: 'piped' })
    const imported = await tutti(['import', '-', '--id', 'from_a_pipe'], stdout)
    expect(imported.stdout).toMatch(/^from_a_pipe is imported/)
  })

  test('lists all errors of a folder, with their positions', async () => {
    const { stdout } = await tutti(['export', 'tea_time', '--format', 'json', '--output', '-'])
    const recipe = join(folder, 'recipe')
    await mkdir(join(recipe, 'config'), { recursive: true })
    for (const { path, content } of JSON.parse(stdout).files as { path: string; content: string }[]) {
      const bad = content.replace('weight: 1', 'weight: 0').replace("- 'tour'\nconfig", "- 'node'\nconfig")
      await writeFile(join(recipe, path), bad)
    }
    const { code, stdout: out, stderr } = await tutti(['validate', 'recipe'])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(stderr).toMatch(/^recipe has 3 errors and 0 warnings:\n/)
    expect(stderr).toMatch(
      / error {4}config\/tour\.tour\.tea_time\.yml:\d+ tips\.\w+\.weight\n +This must be 1 or more/,
    )
    expect(stderr).toMatch(/ error {4}recipe\.yml:\d+ install\n/)
    const json = await tutti(['validate', 'recipe', '--json'])
    expect(JSON.parse(json.stdout)).toMatchObject({
      sound: false,
      findings: [{ severity: 'error' }, {}, {}, {}, {}],
    })
    await symlink('/etc/hostname', join(recipe, 'link.yml'))
    expect((await tutti(['validate', 'recipe'])).stderr).toBe(
      'tutti: recipe: link.yml is a link; a recipe has files and folders only.\n',
    )
  })

  test('fails on warnings only with the option', async () => {
    const made = await call('', {
      label: 'Elsewhere',
      template: 'basic',
      routes: [{ route_name: '/elsewhere' }],
    })
    expect(made.status).toBe(201)
    await tutti(['export', 'elsewhere'])
    expect((await tutti(['validate', 'elsewhere.zip'])).code).toBe(0)
    const strict = await tutti(['validate', 'elsewhere.zip', '--strict'])
    expect(strict.code).toBe(1)
    expect(strict.stderr).toContain('/elsewhere is a path, not a route name')
  })

  test.each<[string[], string, RegExp]>([
    [['export', 'no_such'], '', /^tutti: There is no tour "no_such"\.\n$/],
    [['export', 'tea_time', '--action', 'update_existing'], '', /^tutti: action cannot be update_existing/],
    [['export', 'tea_time', '--url', 'http://127.0.0.1:1'], '', /^tutti: There is no answer at http:\/\/127/],
    [['export', 'tea_time', '--format', 'rar'], '', /Allowed choices are zip, tar\.gz, json/],
    [['export', 'tea_time', '--output', '/no/such/folder/a.zip'], '', /cannot be written \(ENOENT\)/],
    [['import', 'missing.zip'], '', /^tutti: missing\.zip cannot be read \(ENOENT\)\.\n$/],
    [
      ['import', '-'],
      'hello',
      /^tutti: Standard input: The file is not a zip archive, a tar\.gz archive, JSON or the YAML of a tour\.\n$/,
    ],
    [['validate', '-'], '{}', /^tutti: Standard input: The JSON is not a recipe/],
    [['validate', '-'], '', /^tutti: Standard input: The file is empty\.\n$/],
    [
      ['import', '-', '--id', 'Not An Id'],
      '{"format":"tutti.recipe","version":1,"files":[{"path":"config/tour.tour.a.yml","content":"id: a\\nlabel: A"}]}',
      /^tutti: id must be/,
    ],
  ])('%j is reported in one sentence', async (args, input, expected) => {
    const { code, stdout, stderr } = await tutti(args, input)
    expect(stderr).toMatch(expected)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  })
})
