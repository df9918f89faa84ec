import { expect, test } from 'vitest'
import { createAgentCheck } from '#orchestra'
import { checkFlow } from '../../src/engine/definition/check-flow.ts'
import { accountId, openAgentsScene, plain } from './orchestra-agents-scene.ts'

const by = { by: accountId }

test('each save creates an immutable version, and an old one can be restored', async () => {
  await using scene = await openAgentsScene({ withModel: false })
  const { agents } = scene
  const first = await agents.create(plain, { ...by, note: 'Begun.' })
  expect(first).toMatchObject({
    id: 'plain',
    version: 1,
    currentVersion: 1,
    status: 'active',
    builtIn: false,
    ownerId: accountId,
    savedBy: accountId,
    note: 'Begun.',
  })
  const second = { ...plain, label: 'Second' }
  expect(await agents.change('plain', { definition: second }, { ...by, expectedVersion: 1 })).toMatchObject({
    changed: true,
    agent: { version: 2, definition: { label: 'Second' } },
  })
  expect(await agents.change('plain', { definition: second }, by)).toMatchObject({
    changed: false,
    agent: { version: 2 },
  })
  await expect(
    agents.change('plain', { definition: plain }, { ...by, expectedVersion: 1 }),
  ).rejects.toMatchObject({
    code: 'AGENT_CONFLICT',
    message: expect.stringContaining('it is at version 2 now, not 1'),
  })
  expect((await agents.find('plain', 1))?.definition).toEqual(plain)
  expect(await agents.rollBack('plain', { ...by, version: 1 })).toMatchObject({
    changed: true,
    agent: { version: 3, definition: plain, note: 'Version 1 again.' },
  })
  for (const none of [9, 2 ** 31, Number.MAX_SAFE_INTEGER])
    expect(await agents.find('plain', none)).toBeUndefined()
  const versions = await agents.versions('plain', { limit: 2, offset: 0 })
  expect(versions.map(({ version }) => version)).toEqual([3, 2])
  await expect(agents.rollBack('plain', { ...by, version: 9 })).rejects.toMatchObject({
    code: 'AGENT_NOT_FOUND',
    message: '"plain" has no version 9; its versions go up to 3.',
  })
})

test('parameters keep their order, and a changed order is a version', async () => {
  await using scene = await openAgentsScene({ withModel: false })
  const { agents } = scene
  const text = { description: 'A text.' }
  const using = { ...plain, prompt: '{{tone}} {{audience}} {{of}}: {{content}}' }
  const orderOf = async () => Object.keys((await agents.find('plain'))?.definition.parameters ?? {})
  await agents.create({ ...using, parameters: { tone: text, audience: text, of: text } }, by)
  expect(await orderOf()).toEqual(['tone', 'audience', 'of'])
  const reordered = { ...using, parameters: { of: text, tone: text, audience: text } }
  expect(await agents.change('plain', { definition: reordered }, by)).toMatchObject({ changed: true })
  expect(await orderOf()).toEqual(['of', 'tone', 'audience'])
  const { id, ...others } = reordered
  expect(await agents.change('plain', { definition: { ...others, id } }, by)).toMatchObject({
    changed: false,
  })
})

test('an invalid agent is refused with the position, a taken id is a conflict, a deleted id can be reused', async () => {
  await using scene = await openAgentsScene({ withModel: false })
  const { agents } = scene
  await expect(
    agents.create({ ...plain, output_format: 'json', output_schema: { type: 'object', pattern: 7 } }, by),
  ).rejects.toMatchObject({
    code: 'invalid_input',
    problems: [{ path: 'agent_definition.output_schema' }],
  })
  await agents.create(plain, by)
  await expect(agents.create(plain, by)).rejects.toMatchObject({ code: 'AGENT_CONFLICT' })
  await expect(agents.change('plain', { definition: { ...plain, id: 'other' } }, by)).rejects.toMatchObject({
    problems: [{ path: 'agent_definition.id', message: 'must be "plain", as in the address' }],
  })
  await agents.remove('plain')
  expect(await agents.find('plain')).toBeUndefined()
  await expect(agents.remove('plain')).rejects.toMatchObject({ code: 'AGENT_NOT_FOUND' })
  expect(await agents.create(plain, by)).toMatchObject({ version: 2 })
  await expect(agents.read('summary_write')).rejects.toMatchObject({
    message: 'There is no agent "summary_write". Is "summary_writer" meant?',
    details: { suggestions: ['summary_writer'] },
  })
})

test('built-in agents can be disabled and copied, and a release creates new versions of them', async () => {
  await using scene = await openAgentsScene({ withModel: false })
  const { agents } = scene
  const { definition } = await agents.read('seo_auditor')
  await expect(agents.change('seo_auditor', { definition }, by)).rejects.toMatchObject({
    code: 'AGENT_CONFLICT',
    details: { built_in: true },
  })
  await expect(agents.remove('seo_auditor')).rejects.toMatchObject({ code: 'AGENT_CONFLICT' })
  await expect(agents.rollBack('seo_auditor', { ...by, version: 1 })).rejects.toMatchObject({
    code: 'AGENT_CONFLICT',
  })
  expect(await agents.change('seo_auditor', { status: 'inactive' }, by)).toMatchObject({ changed: true })
  await agents.create({ ...definition, id: 'my_auditor' }, by)

  const total = (await agents.list()).length
  await Promise.all([agents.seedBuiltIn(), agents.seedBuiltIn()])
  expect(await agents.read('seo_auditor')).toMatchObject({ version: 1, status: 'inactive' })
  await agents.seedBuiltIn([
    { ...definition, label: 'New' },
    { ...definition, id: 'my_auditor', label: 'Ours' },
  ])
  expect(await agents.read('seo_auditor')).toMatchObject({
    version: 2,
    status: 'inactive',
    definition: { label: 'New' },
    note: 'Came with a new release.',
  })
  expect(await agents.read('my_auditor')).toMatchObject({ version: 1, builtIn: false })
  expect(await agents.list()).toHaveLength(total)
  expect((await agents.list({ category: 'seo', status: 'active' })).map(({ id }) => id)).toEqual([
    'keyword_analyst',
    'meta_writer',
    'my_auditor',
  ])
})

test('a flow is refused with the errors of its agents', async () => {
  await using scene = await openAgentsScene({ withModel: false })
  const check = createAgentCheck(scene.agents)
  const problemsOf = async (...steps: object[]) => {
    const { definition, problems } = checkFlow({
      id: 'flow',
      label: 'Flow',
      steps: steps.map((step, index) => ({ id: `s${index}`, type: 'agent', ...step })),
    })
    expect(problems).toEqual([])
    if (definition === undefined) throw new Error('it is no flow')
    return (await check(definition)).map(({ path, message }) => `${path}: ${message}`)
  }
  expect(await problemsOf({ agent: 'summary_writer', parameters: { sentences: 2 } })).toEqual([])
  expect(await problemsOf({ agent: 'summary_writr' })).toEqual([
    'steps[0].agent: no agent "summary_writr"; is "summary_writer" meant?',
  ])
  expect(
    await problemsOf(
      { agent: 'summary_writer', agent_version: 4 },
      { agent: 'translator' },
      { agent: 'copy_editor', parameters: { style: 'wild', mood: 'x' } },
      { agent: 'copy_editor', parameters: { style: '{{style}}' } },
      {
        agent: 'format_converter',
        parameters: { target_format: 'html' },
        instructions: 'Now',
        ai_options: {},
      },
    ),
  ).toEqual([
    'steps[0].agent_version: "summary_writer" has no version 4; its versions go up to 1',
    'steps[1].parameters.target_language: is required by the agent "translator": Such as `de`, `German` or `Deutsch`.',
    'steps[2].parameters.style: must be one of correct, plain, formal, friendly',
    'steps[2].parameters.mood: is no parameter of the agent "copy_editor"; it has style',
    'steps[4].instructions: has no effect: the agent "format_converter" calls no model',
    'steps[4].ai_options: has no effect: the agent "format_converter" calls no model',
  ])
  await scene.make({})
  expect(await problemsOf({ agent: 'plain', instructions: 'Now' })).toEqual([
    'steps[0].instructions: has no effect: the agent "plain" takes no instructions',
  ])
})
