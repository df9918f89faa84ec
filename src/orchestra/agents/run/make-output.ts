import { type AgentStep, formatText, type ModelCalls, StepFailure, type StepRun, templates } from '#engine'
import type { Problem } from '#kernel/errors'
import type { ChatRequest, Models } from '#models'
import type { runAnalysers } from '../analysers/run-analysers.ts'
import { type CheckResult, runChecks } from '../checks/run-checks.ts'
import { callAgentModel, describeCheck, isFailed } from './call-agent-model.ts'
import type { AgentResult } from './describe-result.ts'
import type { WorkOrder } from './work-order.ts'

type JsonSchema = Readonly<Record<string, unknown>>

/** Validates JSON against schemas of users, outside of the main thread: a schema can take long. */
export interface OutputForms {
  /** Throws `invalid_input` with the problems of the schema. */
  requireUsable(schema: JsonSchema): Promise<void>
  /** The problems of a JSON value; empty when it matches the schema. */
  findProblems(schema: JsonSchema, json: string): Promise<readonly Problem[]>
}

export interface MakeOptions {
  readonly findModel: Models['findModel']
  readonly forms: Pick<OutputForms, 'findProblems'>
}

type Analysed = Awaited<ReturnType<typeof runAnalysers>>

/** Whether the agent calls a language model. Throws PROVIDER_UNAVAILABLE when it needs one and there is none. */
export async function asksModel(
  { findModel }: Pick<MakeOptions, 'findModel'>,
  { step, rules, avoidedProviders }: StepRun<AgentStep>,
  { agent: { definition, id } }: WorkOrder,
  calls: Pick<ModelCalls, 'requireBuiltinAllowed'>,
): Promise<boolean> {
  if (definition.prompt === undefined) return false
  const name = step.ai_options?.model ?? definition.ai_options?.model ?? 'auto'
  const found = await findModel(name, { preferred: rules.preferredProviders })
  if (found?.provider !== 'builtin') return true
  if (definition.analysis_output !== undefined && !avoidedProviders.has('builtin')) {
    await calls.requireBuiltinAllowed(name)
    return false
  }
  throw new StepFailure({
    code: 'PROVIDER_UNAVAILABLE',
    message: `"${id}" needs a language model, and none is configured. Configure a provider, or set another model.`,
    details: { agent: id, model: name, reason: 'no_language_model' },
  })
}

/**
 * Produces the output with a model or with the analysers, and runs the checks of the agent on it. Throws VALIDATION_FAILED when the output
 * fails them.
 */
export async function makeOutput(
  options: MakeOptions,
  run: StepRun<AgentStep>,
  order: WorkOrder,
  analysed: Analysed,
  calls: ModelCalls,
  request: ChatRequest | undefined,
): Promise<AgentResult> {
  const { findings } = analysed
  const check = (output: unknown) => checkOutput(run, order, analysed, output)
  const named = run.step.ai_options?.model ?? order.agent.definition.ai_options?.model
  const warn = (provider: string, attempts: number) => calls.warnOfProvider({ provider, attempts, named })
  const byAnalysis = async (): Promise<AgentResult> => {
    const made = await measuredOutput(options, run, order, analysed, calls)
    const checks = await check(made)
    run.log('debug', 'builtin:text analysed the input; no language model was called.', {
      checks: checks.length,
    })
    return requirePassed({ method: 'analysis', output: made, checks, findings, asked: 0, by: 'builtin:text' })
  }
  if (request === undefined) {
    const result = await byAnalysis()
    if (order.agent.definition.prompt !== undefined) await warn('builtin', 1)
    return result
  }
  try {
    const format = (text: string) => inFormat(run, order, text)
    const output = await callAgentModel(run, calls, order, request, { format, check })
    await warn(output.provider, output.attempts)
    return requirePassed({ ...output, method: 'model', findings, by: `${output.provider}/${output.model}` })
  } catch (error) {
    run.signal.throwIfAborted()
    if (!(error instanceof StepFailure) || !mayUseAnalysis(run, order, error)) throw error
    if (error.code === 'PROVIDER_UNAVAILABLE') {
      run.log(
        'warning',
        `No language model responded, so the analysers produced the output: ${error.message}`,
      )
      const result = await byAnalysis()
      await warn('builtin', 1)
      return result
    }
    // The failure of the model says more than that of the analysers, which are its substitute.
    const result = await byAnalysis().catch(() => {
      run.signal.throwIfAborted()
      throw error
    })
    run.log(
      'warning',
      `The responses of the model were not usable, so the analysers produced the output: ${error.message}`,
      { warning: 'agent_used_analysis', agent: order.agent.id, reason: error.code },
    )
    return result
  }
}

/**
 * Whether the analysers take the place of the model after this failure of it.
 *
 * | failure of the model                        | analysers                                                         |
 * |---------------------------------------------|-------------------------------------------------------------------|
 * | no provider responded                       | where a fallback is allowed, as in the default chain              |
 * | its responses were not as the agent needs   | always, once the step makes no further attempt                    |
 */
function mayUseAnalysis(
  run: StepRun<AgentStep>,
  { agent: { definition } }: WorkOrder,
  { code }: StepFailure,
): boolean {
  const { rules, avoidedProviders } = run
  if (definition.analysis_output === undefined || avoidedProviders.has('builtin')) return false
  if (code === 'PROVIDER_UNAVAILABLE') return rules.mayUseBuiltin || avoidedProviders.size > 0
  return (code === 'VALIDATION_FAILED' || code === 'AGENT_DECISION_ERROR') && isLastAttempt(run, code)
}

function isLastAttempt({ step, rules, attempt }: StepRun<AgentStep>, code: StepFailure['code']): boolean {
  const isRetried = code !== 'VALIDATION_FAILED' || step.retry_config?.retry_on_validation_failure === true
  return !isRetried || attempt >= rules.attemptsOf(step)
}

function requirePassed(result: AgentResult): AgentResult {
  const failed = result.checks.filter(isFailed)
  if (failed.length === 0) return result
  throw new StepFailure({
    code: 'VALIDATION_FAILED',
    message: `The output of the agent fails its checks: ${failed.map(describeCheck).join('; ')}.`,
    details: { failed_checks: failed },
  })
}

/** The output that the agent defines for the results of its analysers. */
async function measuredOutput(
  { forms }: Pick<MakeOptions, 'forms'>,
  run: StepRun<AgentStep>,
  order: WorkOrder,
  { findings }: Analysed,
  calls: ModelCalls,
): Promise<unknown> {
  const { agent, input, parameters } = order
  const { analysis_output: template, output_schema: schema } = agent.definition
  const memory = { content: input, ...parameters, analysis: findings }
  const { value } = templates.fillValue(template, { memory, context: {}, steps: {} })
  if (schema === undefined) return await inFormat(run, order, value)
  const problems = await forms.findProblems(schema, JSON.stringify(value)).catch((error: unknown) => {
    // Without this, the failure would count as an internal error and the execution would be retried.
    throw calls.explain(error)
  })
  if (problems.length === 0) return value
  const [first] = problems
  throw new StepFailure({
    code: 'VALIDATION_FAILED',
    message: `The analysis output of "${agent.id}" does not match its output_schema: ${first?.path ?? ''} ${first?.message ?? ''}.`,
    details: {
      agent: agent.id,
      failed_checks: [{ check: 'output_schema', expected: null, found: problems }],
    },
  })
}

const formatNames = { markdown: 'markdown', html: 'html', text: 'plain_text' } as const

async function inFormat(
  { signal }: StepRun<AgentStep>,
  { agent }: WorkOrder,
  output: unknown,
): Promise<unknown> {
  const { output_format: format } = agent.definition
  if (format === 'json' || typeof output !== 'string') return output
  const made = await formatText(output, {
    format: formatNames[format],
    withContents: false,
    withCharts: false,
    signal,
  })
  return made.text
}

function checkOutput(
  { signal }: StepRun<AgentStep>,
  { agent, input, instructions, parameters }: WorkOrder,
  { findings, analysis }: Analysed,
  output: unknown,
): Promise<CheckResult[]> {
  const { language } = analysis
  return runChecks(agent.definition.checks ?? [], {
    output,
    input,
    asked: [instructions, ...Object.values(parameters)].join('\n'),
    inputLanguage: language?.reliable === true ? language.code : null,
    parameters,
    analysis: findings,
    signal,
  })
}
