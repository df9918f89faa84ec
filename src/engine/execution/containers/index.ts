import type { ContainerStep, ContainerType, Step } from '../../definition/step-types.ts'
import { withTemplates } from '../../steps/step-expressions.ts'
import { noUsage } from '../../steps/step-failure.ts'
import type { StepExecutor, StepResult, StepRun } from '../../steps/step-run.ts'
import type { SubFlows } from '../sub-flows.ts'
import { agentFlowCallDriver } from './agent-flow-call.ts'
import type { ContainerDriver } from './container.ts'
import { forEachDriver } from './for-each.ts'
import { repeatUntilDriver } from './repeat-until.ts'
import { subFlowDriver } from './sub-flow.ts'
import { toolAgentDriver } from './tool-agent.ts'

const byType: { readonly [Type in ContainerType]: ContainerDriver<Extract<ContainerStep, { type: Type }>> } =
  {
    for_each: forEachDriver,
    repeat_until: repeatUntilDriver,
    sub_flow: subFlowDriver,
    tool_agent: toolAgentDriver,
  }

/** Drivers of containers that the engine adds, which no flow can name. */
const ofGenerated: Readonly<Record<string, ContainerDriver<never>>> = { agent_flow_call: agentFlowCallDriver }

/** The driver of a container. */
export function driverOf({ type }: ContainerStep): ContainerDriver<ContainerStep> {
  return ofGenerated[type] ?? byType[type]
}

/** Evaluates the input of a container, as the first part of its run. Throws a StepFailure. */
export async function openContainer(
  run: StepRun<ContainerStep>,
  { flows, runStep }: { readonly flows: SubFlows; readonly runStep: StepExecutor<Step> },
): Promise<StepResult> {
  const driver = driverOf(run.step)
  if (driver.open === undefined) return await runStep(run)
  const record = await driver.open(await withTemplates(run), flows)
  return { output: record, confidence: null, quality: null, usage: noUsage, details: {} }
}
