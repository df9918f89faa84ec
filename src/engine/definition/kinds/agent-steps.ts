import { type Static, Type } from 'typebox'
import { common } from '../common-step.ts'
import type { StepKind } from './step-kind.ts'

const nothing = () => []

const turnSchema = Type.Object({ ...common, type: Type.Literal('agent_turn') })

const callSchema = Type.Object({ ...common, type: Type.Literal('agent_tool_call') })

const flowCallSchema = Type.Object({ ...common, type: Type.Literal('agent_flow_call') })

export type AgentTurnStep = Static<typeof turnSchema>
export type AgentToolCallStep = Static<typeof callSchema>
export type AgentFlowCallStep = Static<typeof flowCallSchema>

/** One call of the model of an agent with tools. */
export const agentTurn = {
  type: 'agent_turn',
  plural: 'Turns of agents',
  schema: turnSchema,
  traits: {
    pure: false,
    callsModels: true,
    sendsPrompt: false,
    callsServices: false,
    decides: 'never',
    validatesOutput: true,
  },
  phase: 'agent_working',
  check: nothing,
  pathsUsed: nothing,
  describeInput: () => ({}),
} as const satisfies StepKind<AgentTurnStep>

/** One call of a tool by an agent. */
export const agentToolCall = {
  type: 'agent_tool_call',
  plural: 'Tool calls of agents',
  schema: callSchema,
  traits: {
    pure: false,
    callsModels: false,
    sendsPrompt: false,
    callsServices: true,
    decides: 'never',
    validatesOutput: true,
  },
  phase: 'agent_working',
  check: nothing,
  pathsUsed: nothing,
  describeInput: () => ({}),
} as const satisfies StepKind<AgentToolCallStep>

/** One call of a flow by an agent: the steps of the flow run in its only scope. */
export const agentFlowCall = {
  type: 'agent_flow_call',
  plural: 'Flow calls of agents',
  schema: flowCallSchema,
  traits: {
    pure: false,
    callsModels: false,
    sendsPrompt: false,
    callsServices: false,
    decides: 'never',
    validatesOutput: true,
  },
  phase: 'agent_working',
  check: nothing,
  pathsUsed: nothing,
  container: {
    stepsOf: nothing,
    variablesOf: nothing,
    pathsAtEnd: nothing,
    // The failure of the flow is a result for the model.
    collectsErrors: () => true,
  },
  describeInput: () => ({}),
} as const satisfies StepKind<AgentFlowCallStep>
