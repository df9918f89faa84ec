import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFlows } from '#engine'
import { createDataFolder } from '../support/data-folder.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { type Outcome, runTutti } from './run-tutti.ts'

/** A retried test uses another name. */
let names = 0
const newName = (name: string) => {
  names += 1
  return `${name}_${names}`
}

const definition = {
  id: 'tea_review',
  label: 'Tea review',
  steps: [
    { id: 'taste', type: 'ai_prompt', label: 'Taste it', prompt: 'Taste {{tea}}', output_to_memory: 'taste' },
    {
      id: 'check',
      type: 'data_transform',
      dependencies: ['taste'],
      transformations: [{ operation: 'merge', sources: ['taste'] }],
    },
  ],
}

/** Each of these starts processes. */
describe('tutti flows', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
    await createFlows({ database }).seedBuiltIn()
  })
  afterAll(() => database?.close())

  const tutti = (args: readonly string[], input?: string): Promise<Outcome> =>
    runTutti(['flows', ...args], {
      env: { DATABASE_URL: database.url },
      ...(input !== undefined && { input }),
    })

  test('exports without the credentials of HTTP steps, and an import lists those to fill in', async () => {
    const id = newName('keyed')
    const step = {
      id: 'call',
      type: 'external_api',
      api: { url: 'https://api.example.com/', headers: { Authorization: 'Bearer sk-live-1' } },
    }
    const imported = await tutti(['import', '-'], JSON.stringify({ id, label: 'Keyed', steps: [step] }))
    expect(imported.stdout).toMatch(
      /revision 1\.\n {2}steps\[0\]\.api\.headers\.Authorization: step "call" stores/,
    )
    const { stdout: exported } = await tutti(['export', id])
    expect(exported).not.toContain('sk-live')
    expect((await tutti(['import', '-'], exported)).stdout).toMatch(/is the same as its revision 1/)
    const elsewhere = await tutti(['import', '-'], exported.replaceAll(id, newName('elsewhere')))
    expect(elsewhere.code).toBe(1)
    expect(elsewhere.stderr).toMatch(
      /1 problem:\n {2}steps\[0\]\.api\.headers\.Authorization: .*write the credential/,
    )
  })

  test('imports a file, and exports an identical one', async () => {
    await using folder = await createDataFolder()
    const file = join(folder.path, 'tea.json')
    const id = newName('tea_review')
    const content = {
      flow_definition: { ...definition, id },
      metadata: { department: 'kitchen', layout: { taste: { x: 0, y: 12.5 } } },
    }
    await writeFile(file, JSON.stringify(content))
    expect(await tutti(['import', file, '--note', 'From the terminal'])).toMatchObject({
      code: 0,
      stdout: `${id} is saved, as revision 1.\n`,
    })
    expect((await tutti(['import', file])).stdout).toBe(
      `${id} is the same as its revision 1; nothing was saved.\n`,
    )
    const exported = await tutti(['export', id])
    expect(JSON.parse(exported.stdout)).toEqual(content)
  })

  test('creates a new revision, and the old one is still there', async () => {
    const id = newName('tea_list')
    const content = { flow_definition: { ...definition, id }, metadata: {} }
    await createFlows({ database }).create(
      { definition: content.flow_definition, metadata: content.metadata },
      { by: { accountId: null, username: null }, note: 'The first' },
    )
    const renamed = JSON.stringify(content).replace('Tea review', 'Review of teas')
    expect((await tutti(['import', '-'], renamed)).stdout).toBe(`${id} has a new revision: 2.\n`)
    expect(JSON.parse((await tutti(['export', id, '--revision', '1'])).stdout)).toEqual(content)
    const shown = await tutti(['show', id, '--revision', '1'])
    expect(shown.stdout).toContain('Revision 1, the current one is 2: The first')
    expect(shown.stdout).toMatch(/^check +data_transform +taste$/m)
  })

  test('lists flows as a table and as JSON', async () => {
    const listed = await tutti(['list', '--search', 'moderation'])
    expect(listed.stdout).toMatch(/^ID +VERSION +STEPS +KIND +LABEL$/m)
    expect(listed.stdout).toMatch(/^moderation_with_routing +1\.0\.0 \(1\) +8 +built in +Moderation/m)
    const all = JSON.parse((await tutti(['list', '--json'])).stdout) as { id: string; revision: number }[]
    expect(all.find(({ id }) => id === 'seo_optimisation')).toMatchObject({ revision: 1, built_in: true })
    expect(await tutti(['list', '--search', 'no such thing'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'No flow has "no such thing" in it.\n',
    })
  })

  test('reports all errors of a flow', async () => {
    const bad = { ...definition, steps: [{ ...definition.steps[1] }] }
    const { code, stderr } = await tutti(['import', '-'], JSON.stringify(bad))
    expect(code).toBe(1)
    expect(stderr).toBe('Standard input has 1 problem:\n  steps[0].dependencies[0]: no step "taste"\n')
  })

  test.each([
    [
      ['show', 'seo_optimization'],
      2,
      'tutti: There is no flow "seo_optimization". Is "seo_optimisation" meant?\n',
    ],
    [
      ['export', 'seo_optimisation', '--revision', '7'],
      1,
      'tutti: "seo_optimisation" has no version 7; its versions go up to 1.\n',
    ],
    [
      ['export', 'seo_optimisation', '--revision', 'x'],
      1,
      'tutti: "x" is no revision; they are counted from 1.\n',
    ],
  ])('%j is reported in one sentence', async (args, code, stderr) => {
    expect(await tutti(args)).toEqual({ code, stdout: '', stderr })
  })

  test('does not overwrite built-in flows', async () => {
    const { stdout } = await tutti(['export', 'seo_optimisation'])
    const { code, stderr } = await tutti(['import', '-'], stdout.replace('SEO optimisation', 'Mine'))
    expect(code).toBe(1)
    expect(stderr).toContain('under another id')
  })
})
