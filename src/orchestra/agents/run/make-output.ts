import {
  type AgentStep,
  explainModelFailure,
  fillValue,
  formatText,
  StepFailure,
  type StepRun,
  type Tally,
  warnOfPreference,
} from '#engine'
import type { ChatRequest, Models } from '#models'
import type { runAnalysers } from '../analysers/run-analysers.ts'
import { type CheckResult, runChecks } from '../checks/run-checks.ts'
import { type AskOptions, askAgentModel } from './ask-agent-model.ts'
import type { OutputForms } from './output-forms.ts'
import type { Done } from './tell-result.ts'
import type { WorkOrder } from './work-order.ts'

export interface MakeOptions extends AskOptions {
  readonly findModel: Models['findModel']
  readonly forms: Pick<OutputForms, 'findProblems'>
}

type Analysed = Awaited<ReturnType<typeof runAnalysers>>

/** Whether a language model is asked. Throws PROVIDER_UNAVAILABLE when one is needed and there is none. */
export async function asksModel(
  { findModel }: Pick<MakeOptions, 'findModel'>,
  { step, rules, avoidedProviders }: StepRun<AgentStep>,
  { agent: { definition, id } }: WorkOrder,
): Promise<boolean> {
  if (definition.prompt === undefined) return false
  const name = step.ai_options?.model ?? definition.ai_options?.model ?? 'auto'
  const found = await findModel(name, { preferred: rules.preferredProviders })
  if (found?.provider !== 'builtin') return true
  if (definition.analysis_output !== undefined && !avoidedProviders.has('builtin')) return false
  throw new StepFailure({
    code: 'PROVIDER_UNAVAILABLE',
    message: `"${id}" needs a language model, and there is none here. Connect one, or name another model.`,
    details: { agent: id, model: name, reason: 'no_language_model' },
  })
}

/** Has the work done by whoever is there, and holds what was made against the checks of the agent. */
export async function makeOutput(
  options: MakeOptions,
  run: StepRun<AgentStep>,
  order: WorkOrder,
  analysed: Analysed,
  tally: Tally,
  request: ChatRequest | undefined,
): Promise<Done> {
  const { findings } = analysed
  const check = (output: unknown) => checkOutput(run, order, analysed, output)
  const named = run.step.ai_options?.model ?? order.agent.definition.ai_options?.model
  const warn = (provider: string, attempts: number) => warnOfPreference(run, { provider, attempts, named })
  const byMeasuring = async (): Promise<Done> => {
    const made = await measuredOutput(options, run, order, analysed)
    const checks = await check(made)
    run.log('debug', 'builtin:text measured the input; no language model was asked.', {
      checks: checks.length,
    })
    if (order.agent.definition.prompt !== undefined) warn('builtin', 1)
    return { method: 'analysis', output: made, checks, findings, asked: 0, by: 'builtin:text' }
  }
  if (request === undefined) return await byMeasuring()
  try {
    const format = (text: string) => inFormat(run, order, text)
    const answer = await askAgentModel(run, options, tally, order, request, { format, check })
    warn(answer.provider, answer.attempts)
    return { ...answer, method: 'model', findings, by: `${answer.provider}/${answer.model}` }
  } catch (error) {
    run.signal.throwIfAborted()
    if (!mayMeasureInstead(run, order, error)) throw error
    run.log('warning', `No language model answered, so it was measured instead: ${(error as Error).message}`)
    return await byMeasuring()
  }
}

/** As in the default chain: after those who were asked and could not comes what needs nothing, when others may answer at all. */
function mayMeasureInstead(
  { rules, avoidedProviders }: StepRun<AgentStep>,
  { agent: { definition } }: WorkOrder,
  error: unknown,
): boolean {
  if (!(error instanceof StepFailure) || error.code !== 'PROVIDER_UNAVAILABLE') return false
  const others = rules.mayFallBack || avoidedProviders.size > 0
  return others && definition.analysis_output !== undefined && !avoidedProviders.has('builtin')
}

/** What the agent makes of what was measured, in the form of its output. */
async function measuredOutput(
  { forms }: Pick<MakeOptions, 'forms'>,
  run: StepRun<AgentStep>,
  order: WorkOrder,
  { findings }: Analysed,
): Promise<unknown> {
  const { agent, input, parameters } = order
  const { analysis_output: template, output_schema: schema } = agent.definition
  const memory = { content: input, ...parameters, analysis: findings }
  const { value } = fillValue(template, { memory, context: {}, steps: {} })
  if (schema === undefined) return await inFormat(run, order, value)
  const problems = await forms.findProblems(schema, JSON.stringify(value)).catch((error: unknown) => {
    // Otherwise it would look like a mistake of ours, and the whole execution be tried again and again.
    throw explainModelFailure(error)
  })
  if (problems.length === 0) return value
  const [first] = problems
  throw new StepFailure({
    code: 'VALIDATION_FAILED',
    message: `What "${agent.id}" measured is not what its output_schema asks for: ${first?.path ?? ''} ${first?.message ?? ''}.`,
    details: {
      agent: agent.id,
      failed_checks: [{ check: 'output_schema', expected: null, found: problems }],
    },
  })
}

const writtenAs = { markdown: 'markdown', html: 'html', text: 'plain_text' } as const

async function inFormat(
  { signal }: StepRun<AgentStep>,
  { agent }: WorkOrder,
  output: unknown,
): Promise<unknown> {
  const { output_format: format } = agent.definition
  if (format === 'json' || typeof output !== 'string') return output
  const made = await formatText(output, {
    format: writtenAs[format],
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
