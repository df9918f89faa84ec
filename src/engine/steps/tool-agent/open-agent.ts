import type { ToolAgentStep } from '../../definition/step-types.ts'
import { fillText, reportMissing } from '../../expressions/templates.ts'
import { type OfferServices, offerTools } from '../../tools/agent-tools.ts'
import { noUsage, StepFailure } from '../step-failure.ts'
import type { StepResult, StepRun } from '../step-run.ts'
import type { AgentRecord } from './conversation.ts'

/**
 * Opens an agent with tools: fills its prompts and lists its tools. A tool that is missing is a warning, because the others may be enough.
 * Throws INVALID_STEP when there is none, and when the database cannot be read.
 */
export async function openAgent(run: StepRun<ToolAgentStep>, services: OfferServices): Promise<StepResult> {
  const { step, scope, log } = run
  const prompt = fillText(step.prompt, scope)
  const system = fillText(step.system_prompt ?? '', scope)
  reportMissing(run, [...new Set([...prompt.missing, ...system.missing])])
  const { tools, problems } = await offerTools(step.tools, services)
  for (const problem of problems) log('warning', problem, { warning: 'tool_not_available' })
  if (tools.length === 0) {
    throw new StepFailure({
      code: 'INVALID_STEP',
      message: `The agent has no tools: ${problems.join(' ')}`,
      details: { problems },
    })
  }
  const record: AgentRecord = {
    system: system.value === '' ? null : system.value,
    prompt: prompt.value,
    tools,
  }
  return { output: record, confidence: null, quality: null, usage: noUsage, details: {} }
}
