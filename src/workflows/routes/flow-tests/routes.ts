import { Type } from 'typebox'
import {
  access,
  findExecution,
  invalidField,
  readRate,
  requireAccount,
  responses,
  units,
} from '#executions-api'
import type { HttpServer } from '#kernel/http'
import { workflowsPrefix } from '../../api.ts'
import type { WorkflowsOptions } from '../../route-options.ts'
import { flag, text } from '../../schemas/values.ts'
import {
  type FlowTest,
  RunTestsBody,
  SaveTestBody,
  TestResults,
  TestSummary,
  testName,
  WholeTest,
} from './schemas.ts'

const flowParams = Type.Object({ id: text('The flow.') })
const testParams = Type.Object({ id: text('The flow.'), name: testName })
const path = `${workflowsPrefix}/flows/:id/tests`
const config = { access: access.managesWorkflows, ratePolicy: readRate } as const

/** Saves and runs tests of flows. */
export function addFlowTestRoutes(
  routes: HttpServer,
  { engine, tiers }: Pick<WorkflowsOptions, 'engine' | 'tiers'>,
): void {
  const { flowTests, flows } = engine

  routes.get(
    path,
    {
      config,
      schema: {
        operationId: 'listFlowTests',
        summary: 'List the tests of a flow',
        description: 'Saved inputs with recorded answers of models and services. A flow can have 100 tests.',
        params: flowParams,
        response: {
          200: Type.Object({ tests: Type.Array(TestSummary) }, { description: 'The tests, by name.' }),
        },
      },
    },
    async ({ params: { id } }) => {
      await flows.read(id)
      return { tests: (await flowTests.list(id)).map(summaryOf) }
    },
  )

  routes.get(
    `${path}/:name`,
    {
      config,
      schema: {
        operationId: 'readFlowTest',
        summary: 'Get a test of a flow',
        params: testParams,
        response: { 200: WholeTest },
      },
    },
    async ({ params: { id, name } }) => describeTest(await flowTests.read(id, name)),
  )

  routes.put(
    `${path}/:name`,
    {
      config,
      schema: {
        operationId: 'saveFlowTest',
        summary: 'Save a test of a flow',
        description:
          'Records a finished execution (`from_execution`), or takes `input` and `recorded` from the request. Replaces a test with the same name.',
        params: testParams,
        body: SaveTestBody,
        response: { 200: WholeTest },
      },
    },
    async ({ params: { id, name }, body, principal }) => {
      const { from_execution: executionId, input, recorded, expect = [] } = body
      if ((executionId === undefined) === (input === undefined)) {
        throw invalidField({
          path: 'from_execution',
          message: 'or input is required, and not both',
          code: 'required',
        })
      }
      if (executionId === undefined) {
        const { context = {}, memory = {}, options = {} } = input ?? {}
        const source = { input: { context, memory, options }, recorded: recorded ?? {} }
        return describeTest(await flowTests.save(id, name, { source, expect, by: principal.id }))
      }
      const execution = await findExecution(engine, principal, executionId)
      if (execution.flowId !== id) {
        throw invalidField({
          path: 'from_execution',
          message: `is an execution of ${execution.flowId}`,
          code: 'value',
        })
      }
      return describeTest(await flowTests.save(id, name, { source: { execution }, expect, by: principal.id }))
    },
  )

  routes.delete(
    `${path}/:name`,
    {
      config,
      schema: {
        operationId: 'deleteFlowTest',
        summary: 'Delete a test of a flow',
        params: testParams,
        response: {
          200: Type.Object(
            { success: flag('Always true.'), flow_id: Type.String(), name: Type.String() },
            { description: 'The test is deleted.' },
          ),
        },
      },
    },
    async ({ params: { id, name } }) => {
      await flowTests.remove(id, name)
      return { success: true, flow_id: id, name }
    },
  )

  routes.post(
    `${path}/run`,
    {
      config: { access: access.managesWorkflows, ratePolicy: tiers.requestsPerHour },
      schema: {
        operationId: 'runFlowTests',
        summary: 'Run the tests of a flow',
        description:
          'Runs saved tests against the current version, or against `definition` before it is saved. Steps with effects answer from the recording; conditions and transformations run. Nothing is called, nothing is paid, and analytics do not count it. At most 50 tests, each up to 60 seconds.',
        params: flowParams,
        body: RunTestsBody,
        response: { 200: TestResults },
      },
    },
    async (request) => {
      const { id } = request.params
      const { results, notRun } = await flowTests.run(id, {
        names: request.body.names,
        definition: request.body.definition,
        accountId: requireAccount(request.principal),
        resultOf: responses.describeResult,
        signal: request.server.closing,
      })
      return {
        success: true,
        flow_id: id,
        // A pipeline must not take tests that did not run for a success.
        passed: results.length > 0 && notRun === 0 && results.every(({ passed }) => passed),
        message: messageOf(results.length, notRun),
        tests: results.map(({ name, passed, problems, executionId }) => ({
          name,
          passed,
          problems: [...problems],
          execution_id: executionId,
        })),
      }
    },
  )
}

function messageOf(run: number, notRun: number): string | null {
  if (run === 0) return 'The flow has no tests, so nothing was tested.'
  if (notRun === 0) return null
  return `${run} tests were run, and ${notRun} were not: a request runs at most ${run}. Name the others in "names".`
}

function summaryOf({ name, recordedVersion, recorded, expect, updatedAt }: FlowTest) {
  return {
    name,
    recorded_version: recordedVersion,
    recorded_steps: Object.keys(recorded),
    expect: [...expect],
    updated_at: units.epochSeconds(updatedAt),
  }
}

function describeTest(test: FlowTest) {
  return { ...summaryOf(test), input: { ...test.input }, recorded: { ...test.recorded } }
}
