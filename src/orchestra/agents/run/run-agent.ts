import {
  type AgentStep,
  createTally,
  judgeQuality,
  type StepExecutor,
  StepFailure,
  type StepResult,
  type StepRun,
  type Tally,
  withUsage,
} from '#engine'
import type { Agents } from '../agents.ts'
import { runAnalysers } from '../analysers/run-analysers.ts'
import { describeCheck, isFailed, writeRequest } from './ask-agent-model.ts'
import { type FeeOptions, openFee } from './fee.ts'
import { asksModel, type MakeOptions, makeOutput } from './make-output.ts'
import { refuseKind, refuseLength } from './refuse-input.ts'
import { confidenceOf, type Done, decisionOf } from './tell-result.ts'
import { withinTime } from './time-limit.ts'
import { readOrder, type WorkOrder } from './work-order.ts'

export interface RunAgentOptions extends MakeOptions, FeeOptions {
  readonly agents: Pick<Agents, 'find'>
}

/**
 * Runs steps that have an agent do their work. Its input is measured first; then
 *
 * | the agent                                | and the model that would be asked     | the work is done by                          |
 * |------------------------------------------|---------------------------------------|----------------------------------------------|
 * | has no prompt                            |                                       | measuring                                    |
 * | has a prompt                             | is a language model                   | it                                           |
 * | has a prompt, and says what it measures  | is `builtin`, or others may answer    | measuring, and the output says so            |
 * |                                          | for one that cannot                   |                                              |
 * | has a prompt alone                       | is `builtin`                          | nobody: PROVIDER_UNAVAILABLE                 |
 *
 * The price of the agent is set aside before, and taken when a result is there that satisfies its checks.
 */
export function createRunAgent(options: RunAgentOptions): StepExecutor<AgentStep> {
  return async (run) => {
    const order = await readOrder(options.agents, run)
    refuseLength(order)
    const { id, definition } = order.agent
    const limit = { id, seconds: definition.configuration.timeout }
    return await withinTime(run.signal, limit, (signal) => work(options, { ...run, signal }, order))
  }
}

async function work(
  options: RunAgentOptions,
  run: StepRun<AgentStep>,
  order: WorkOrder,
): Promise<StepResult> {
  const { agent, input, parameters } = order
  const { definition } = agent
  const tally = createTally(run.purse)
  try {
    const { signal } = run
    const analysed = await runAnalysers(input, definition.analysers ?? [], { parameters, signal })
    refuseKind(order, analysed.analysis)
    run.onPhase('prompt_processed')
    const request = (await asksModel(options, run, order))
      ? writeRequest(run, tally, order, analysed.findings)
      : undefined
    const fee = await openFee(options, tally, agent, {
      accountId: run.accountId,
      isBulk: (run.items ?? 1) > 1,
      request,
      times: definition.configuration.retry_limit + 1,
    })
    const done = await makeOutput(options, run, order, analysed, tally, request)
      .then(requirePassed)
      .catch(async (error: unknown) => {
        await fee.release()
        throw error
      })
    const { inputTokens, outputTokens } = tally.usage()
    const paid = await fee.charge(inputTokens + outputTokens)
    return await tell(run, order, done, tally, paid)
  } catch (error) {
    throw error instanceof StepFailure ? withUsage(error, tally.usage()) : error
  }
}

function requirePassed(done: Done): Done {
  const failed = done.checks.filter(isFailed)
  if (failed.length === 0) return done
  throw new StepFailure({
    code: 'VALIDATION_FAILED',
    message: `What the agent made does not pass its checks: ${failed.map(describeCheck).join('; ')}.`,
    details: { failed_checks: failed },
  })
}

async function tell(
  { signal }: StepRun<AgentStep>,
  order: WorkOrder,
  done: Done,
  tally: Tally,
  paid: number,
): Promise<StepResult> {
  const { id, version, definition } = order.agent
  const { method, checks, findings, asked } = done
  const confidence = confidenceOf(done, definition.prompt !== undefined)
  const output = definition.output_format === 'json' ? { ...(done.output as object), method } : done.output
  const { content_field: field } = definition
  const content = field === undefined ? done.output : (done.output as Record<string, unknown>)[field]
  return {
    output,
    decision: decisionOf(order, done, confidence),
    confidence,
    quality: typeof content === 'string' ? (await judgeQuality(content, { signal })).score : null,
    usage:
      method === 'model' ? tally.usage() : { ...tally.usage(), provider: 'builtin', model: 'builtin:text' },
    details: {
      agent: id,
      agent_version: version,
      method,
      asked,
      analysis: findings,
      checks,
      agent_cost: paid / 1e6,
    },
  }
}
