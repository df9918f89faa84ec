import type { SecretReader } from '#connections'
import type { Outbound } from '#kernel/outbound'
import type { Tracing } from '#kernel/telemetry'
import type { Action } from '../definition/common-step.ts'
import {
  type AgentFlowCallStep,
  type AgentStep,
  type ConditionalStep,
  type ContainerType,
  type GeneratedStep,
  kindOf,
  type Step,
  type StepType,
  type ToolAgentStep,
} from '../definition/step-types.ts'
import { describeTest, holds } from '../expressions/conditions.ts'
import type { Choice } from '../graph/plan.ts'
import type { McpTools } from '../tools/mcp-tool.ts'
import { createAiPromptExecutor } from './ai-prompt/ai-prompt.ts'
import type { AnswerChannels } from './answer-channels.ts'
import type { FindPeople } from './assignees.ts'
import { runDataTransform } from './data-transform.ts'
import { createExternalApiExecutor } from './external-api/external-api.ts'
import type { IsOwnVersion } from './external-api/prepare-request.ts'
import { runHuman } from './human.ts'
import { createModelCalls, type ModelCalls } from './models/model-calls.ts'
import {
  createSecretValues,
  noSecretValues,
  redactError,
  redactLog,
  redactResult,
  type SecretValues,
} from './secret-values.ts'
import { requireShallow } from './shallow.ts'
import { conditionHolds, withTemplates } from './step-expressions.ts'
import { noUsage, StepFailure } from './step-failure.ts'
import type { StepExecutor, StepResult, StepRun } from './step-run.ts'
import { runToolCall } from './tool-agent/call.ts'
import { openAgent } from './tool-agent/open-agent.ts'
import { runTurn, type TurnOptions } from './tool-agent/turn.ts'
import { validateConfidence, validateOutput } from './validate-output.ts'
import { runWait } from './wait.ts'
import { runWaitForEvent } from './wait-for-event.ts'

/** Runs agent steps. `callsOf` opens the model calls of a run, also of one with another signal. Throws a StepFailure. */
export type RunAgent = (
  run: StepRun<AgentStep>,
  callsOf: (run: StepRun<AgentStep>) => ModelCalls,
) => Promise<StepResult>

export interface StepExecutorOptions extends TurnOptions {
  readonly outbound: Pick<Outbound, 'request'>
  /** Secrets and connections of HTTP steps. Default: there are none. */
  readonly secrets?: SecretReader | undefined
  /** Whether an account owns a flow and has saved this version of it. Default: none has. */
  readonly isOwnVersion?: IsOwnVersion | undefined
  /** Runs agent steps. Default: there are no agents. */
  readonly runAgent?: RunAgent | undefined
  /** Calls the tools of MCP servers for agents. Default: there are none. */
  readonly mcpTools?: McpTools | undefined
  /** The search service for the tool `search` of agents. Default: there is none. */
  readonly searchUrl?: string | undefined
  /** How people are notified about human tasks. Default: unknown, and nothing is reported. */
  readonly answerChannels?: (() => AnswerChannels) | undefined
  /** Finds the assignees of human tasks. Default: every account and role exists. */
  readonly findPeople?: FindPeople | undefined
  /** Traces the calls of tools by agents. Default: they are not traced. */
  readonly tracing?: Tracing | undefined
}

/** Runs steps of every type and validates their output. */
export function createStepExecutor(options: StepExecutorOptions): StepExecutor<Step> {
  const { runAgent = noAgents, outbound, secrets, mcpTools: clients, searchUrl, tracing } = options
  const byType: {
    readonly [Type in ExecutedStep['type']]: SecretExecutor<Extract<ExecutedStep, { readonly type: Type }>>
  } = {
    ai_prompt: createAiPromptExecutor(options),
    conditional: runConditional,
    external_api: createExternalApiExecutor(options),
    data_transform: runDataTransform,
    agent: (run) => runAgent(run, (changed) => createModelCalls(changed, options)),
    wait: runWait,
    wait_for_event: runWaitForEvent,
    human: (run) => runHuman(run, options),
    tool_agent: (run) => openAgent(run, { outbound, clients, searchUrl }),
    agent_turn: (run) => runTurn(run, options),
    agent_tool_call: (run, used) =>
      runToolCall(run, { outbound, secrets, clients, searchUrl, tracing }, used),
  }

  async function runChecked(run: StepRun, used: SecretValues): Promise<StepResult> {
    const { step } = run
    // Other containers never come here: `execution/containers/` opens them.
    const execute = byType[step.type as keyof typeof byType] as unknown as SecretExecutor<Step>
    try {
      const unchecked = await execute(
        kindOf(step).templates === undefined ? run : await withTemplates(run),
        used,
      )
      requireShallow(unchecked.output)
      const result = kindOf(step).traits.validatesOutput ? unchecked : await validateOutput(run, unchecked)
      validateConfidence(step, result)
      return result
    } catch (error) {
      throw error instanceof RangeError ? tooLarge(error) : error
    }
  }

  /** Secret values exist in the executor alone: what leaves it is stored, logged and shown. */
  async function runRedacted(run: StepRun): Promise<StepResult> {
    const used = createSecretValues()
    try {
      return redactResult(await runChecked(redactLog(run, used), used), used)
    } catch (error) {
      throw redactError(error, used)
    }
  }

  return (run) => (kindOf(run.step).traits.callsServices ? runRedacted(run) : runChecked(run, noSecretValues))
}

/** The steps that executors run: those of flows without containers, generated ones, and containers that need services to open. */
type ExecutedStep =
  | Extract<Step, { readonly type: Exclude<StepType, ContainerType> }>
  | Exclude<GeneratedStep, AgentFlowCallStep>
  | ToolAgentStep

/** An executor that may use secrets adds their values to `used`. */
type SecretExecutor<Kind extends ExecutedStep | Step> = (
  run: StepRun<Kind>,
  used: SecretValues,
) => Promise<StepResult>

const noAgents: RunAgent = async ({ step }) => {
  throw new StepFailure({ code: 'INVALID_STEP', message: `The agent "${step.agent}" does not exist.` })
}

/** Takes the action of the first condition that is true, else the default action, else continues. Throws EXPRESSION_FAILED. */
export async function runConditional(run: StepRun<ConditionalStep>): Promise<StepResult> {
  const { step } = run
  let taken = -1
  for (let index = 0; taken === -1 && index < step.conditions.length; index += 1) {
    const { field, operator, value } = step.conditions[index] ?? {}
    // Comparisons are decided without waiting.
    const isTaken =
      field !== undefined && operator !== undefined
        ? holds({ field, operator, value }, run.scope)
        : await conditionHolds(run, step.conditions[index] ?? {})
    if (isTaken) taken = index
  }
  const action = step.conditions[taken]?.action ?? step.default_action ?? { type: 'continue' }
  // Conditions after the first true one are not evaluated.
  const evaluated = taken === -1 ? step.conditions : step.conditions.slice(0, taken + 1)
  const routing_decision = {
    action: action.type,
    target: action.target_step ?? action.next_step ?? null,
    reason:
      action.reason ?? (taken === -1 ? 'no condition held' : describeTest(step.conditions[taken] ?? {})),
  }
  return {
    output: { ...routing_decision, condition: taken === -1 ? null : taken },
    choice: choiceOf(action),
    confidence: 1,
    quality: null,
    usage: noUsage,
    details: {
      conditions_evaluated: evaluated.map((condition, index) => ({
        condition: describeTest(condition),
        result: index === taken,
        action_taken: index === taken ? action.type : null,
      })),
      routing_decision,
    },
  }
}

function choiceOf({ type, next_step, target_step = '' }: Action): Choice {
  return type === 'jump_to_step'
    ? { kind: 'jump', target: target_step }
    : { kind: 'continue', next: next_step }
}

/** JavaScript limits strings, arrays and the call stack. The same data exceeds them again, so a retry would not help. */
function tooLarge(cause: RangeError): StepFailure {
  const message = 'The data of the step is too large or nested too deeply.'
  return new StepFailure({ code: 'INVALID_STEP', message, cause })
}
