import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startScriptedNode } from './models-scripted-node.ts'
import { type OrchestraServer, startOrchestraServer } from './orchestra-server.ts'

type ScriptedNode = Awaited<ReturnType<typeof startScriptedNode>>

const workflows = '/ai-workflows/api'
const as = 'mara'
const content =
  'The kettle is on. We wait for the water to boil and then we pour it over the leaves of green tea in a cup.'
const translate = { id: 'translate', type: 'ai_prompt', prompt: 'Translate into French: {{content}}' }
const measured = { id: 'review', type: 'agent', agent: 'content_quality_reviewer' }
const research = {
  id: 'research',
  type: 'tool_agent',
  prompt: 'Calculate 2 + 2.',
  tools: [{ type: 'builtin', name: 'calculator' }],
}
const allowed = { flow: { global_configuration: { allow_builtin_fallback: true } } }

/** The response of an execution in the Workflows API. */
async function runFlow(server: OrchestraServer, flow_id: string, options: object = {}) {
  const { status, body } = await server.post(
    `${workflows}/execute-flow`,
    { flow_id, context: { content }, options },
    { as },
  )
  return { status, body }
}

/** The same in the Orchestra API. */
async function runWorkflow(server: OrchestraServer, workflow_id: string) {
  return await server.post('/execute-workflow', { workflow_id, context: { content } }, { as })
}

const shaped = (step: object) => ({
  id: 'shaped',
  label: 'Shaped',
  steps: [{ ...translate, ...step }],
})

/** The result of a check of a flow. */
async function validate(server: OrchestraServer, flow_definition: object) {
  const { body } = await server.post(`${workflows}/flows/validate`, { flow_definition }, { as })
  return body.validation_results
}

const builtinUsed = (step: string) => ({ type: 'builtin_fallback_used', step })

describe('with a node in the cluster', () => {
  const closing = new AsyncDisposableStack()
  let node: ScriptedNode
  let server: OrchestraServer

  beforeAll(async () => {
    node = closing.use(await startScriptedNode({ description: { capabilities: ['completion', 'tools'] } }))
    server = closing.use(
      await startOrchestraServer({
        environment: { CLUSTER_NODES: node.url, HEALTH_CHECK_INTERVAL: '100ms' },
      }),
    )
    await eventually(async () => (await server.models.findModel('auto'))?.provider === 'ollama')
  })
  afterAll(() => closing.disposeAsync())

  test('structured output is repaired, and each call counts', async () => {
    const output_schema = {
      type: 'object',
      required: ['french'],
      properties: { french: { type: 'string' } },
      additionalProperties: false,
    }
    const flow = await server.save([{ ...translate, output_schema }])
    node.script({ steps: [{ text: '{"german": "Tee"}' }] }, { steps: [{ text: '{"french": "Le thé"}' }] })
    const { status, body } = await runFlow(server, flow)
    expect(status).toBe(200)
    expect(body.result).toEqual({ french: 'Le thé' })
    const chats = node.requests.filter(({ path }) => path === '/api/chat')
    expect(chats).toHaveLength(2)
    expect(chats[0]?.body).toMatchObject({ format: output_schema })
    const path = `${workflows}/executions/${body.execution_id}/steps/translate`
    const { body: traced } = await server.call(path, { as })
    expect(traced).toMatchObject({ output: { french: 'Le thé' } })
  })

  const problemsOf = async (step: object) => {
    const { status, body } = await server.post(
      `${workflows}/flows`,
      { flow_definition: shaped(step) },
      { as },
    )
    return { status, problems: body.error.details.problems }
  }

  test('a schema that cannot be used is a problem of the flow, with its field', async () => {
    expect(await problemsOf({ output_schema: { type: 'nothing' } })).toMatchObject({
      status: 422,
      problems: [
        { path: 'steps[0].output_schema', code: 'schema', message: expect.stringContaining('type') },
      ],
    })
    expect(await problemsOf({ output_schema: { description: 'x'.repeat(65 * 1024) } })).toMatchObject({
      problems: [{ path: 'steps[0].output_schema', message: 'is longer than 64 KiB' }],
    })
    const slow = { type: 'string', pattern: '^(a+)+$', const: `${'a'.repeat(40)}!` }
    expect((await problemsOf({ output_schema: { default: slow, type: 7 } })).status).toBe(422)
    expect(await problemsOf({ schema_attempts: 2 })).toMatchObject({
      problems: [{ path: 'steps[0].schema_attempts', code: 'no_effect' }],
    })
    const post_processing = [{ operation: 'extract_json' }]
    expect(await problemsOf({ output_schema: { type: 'object' }, post_processing })).toMatchObject({
      problems: [{ path: 'steps[0].post_processing', code: 'no_effect' }],
    })
  })

  describe('that is gone', () => {
    beforeAll(async () => {
      await node.close()
      await eventually(async () => (await server.models.findModel('auto'))?.provider === 'builtin')
    })

    test('a prompt that names no model fails in both APIs, and says what to do', async () => {
      const flow = await server.save([translate])
      const { status, body } = await runFlow(server, flow)
      expect([status, body.error.code]).toEqual([502, 'PROVIDER_UNAVAILABLE'])
      expect(body.error.message).toContain('configured: ollama')
      expect(body.error.message).toContain('global_configuration.allow_builtin_fallback')
      const other = await runWorkflow(server, flow)
      expect([other.status, other.body.error.code]).toEqual([502, 'PROVIDER_UNAVAILABLE'])
      expect(other.body.error.message).toContain('global_configuration.allow_builtin_fallback')
    })

    test('an agent fails in the same way, although it could measure', async () => {
      const flow = await server.save([measured])
      const { body } = await runFlow(server, flow)
      expect(body.error).toMatchObject({ code: 'PROVIDER_UNAVAILABLE' })
    })

    test('both are measured where the flow allows it, with warnings', async () => {
      const flow = await server.save([translate, measured], allowed)
      const { status, body } = await runFlow(server, flow)
      expect(status).toBe(200)
      expect(body.warnings).toEqual(
        expect.arrayContaining([
          expect.objectContaining(builtinUsed('translate')),
          expect.objectContaining(builtinUsed('review')),
        ]),
      )
      const other = await runWorkflow(server, flow)
      expect(other.body.warnings).toContainEqual(expect.objectContaining(builtinUsed('translate')))
      const asked = await runFlow(server, await server.save([translate]), {
        ai_options: { fallback_enabled: true },
      })
      expect(asked.body.warnings).toEqual([expect.objectContaining(builtinUsed('translate'))])
    })

    test('a step that names builtin:text and a built-in flow still run', async () => {
      const named = { ...translate, ai_options: { model: 'builtin:text' } }
      const { body } = await runFlow(server, await server.save([named]))
      expect(body).toMatchObject({ success: true, warnings: [] })
      expect((await runFlow(server, 'content_quality_review')).body).toMatchObject({ success: true })
    })

    test('a check of the flow warns about it', async () => {
      const flow_definition = { id: 'relies', label: 'Relies', steps: [translate, measured, research] }
      expect((await validate(server, flow_definition)).warnings).toMatchObject([
        { path: 'steps[0]', code: 'relies_on_builtin' },
        { path: 'steps[1]', code: 'relies_on_builtin' },
        { path: 'steps[2]', code: 'no_language_model' },
      ])
      expect((await validate(server, { ...flow_definition, ...allowed.flow })).warnings).toMatchObject([
        { path: 'steps[2]', code: 'no_language_model' },
      ])
    })
  })
})

test('on a platform without any provider, prompts and agents are measured, with warnings', async () => {
  await using server = await startOrchestraServer()
  const { status, body } = await runFlow(server, await server.save([translate, measured]))
  expect(status).toBe(200)
  expect(body.warnings).toEqual(
    expect.arrayContaining([
      expect.objectContaining(builtinUsed('translate')),
      expect.objectContaining(builtinUsed('review')),
    ]),
  )
})

test('on such a platform, an agent with tools fails, and a check of the flow warns of it', async () => {
  await using server = await startOrchestraServer()
  const flow_definition = { id: 'relies', label: 'Relies', steps: [translate, measured, research] }
  expect((await validate(server, flow_definition)).warnings).toMatchObject([
    { path: 'steps[2]', code: 'no_language_model' },
  ])
  const { status, body } = await runFlow(server, await server.save([research]))
  expect([status, body.error.code]).toEqual([502, 'PROVIDER_UNAVAILABLE'])
})

test('a key of a provider without a default model takes nothing from flows, and the warning says what to set', async () => {
  await using server = await startOrchestraServer({ environment: { OPENAI_API_KEY: 'sk-test' } })
  expect(await server.models.builtinRole()).toEqual({ kind: 'only', withoutDefault: ['openai'] })
  const { body } = await runFlow(server, await server.save([translate]))
  expect(body).toMatchObject({ success: true, warnings: [builtinUsed('translate')] })
  expect(body.warnings[0].message).toContain('openai has no default model')
})

test('an operator who chose builtin:text as the default model gets it, without warnings', async () => {
  await using server = await startOrchestraServer({
    environment: { OPENAI_API_KEY: 'sk-test', TUTTI_DEFAULT_MODEL: 'builtin:text' },
  })
  const { body } = await runFlow(server, await server.save([translate]))
  expect(body).toMatchObject({ success: true, warnings: [] })
})
