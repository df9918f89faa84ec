import { agent } from './agent.ts'
import { agentFlowCall, agentToolCall, agentTurn } from './agent-steps.ts'
import { aiPrompt } from './ai-prompt.ts'
import { conditional } from './conditional.ts'
import { dataTransform } from './data-transform.ts'
import { externalApi } from './external-api.ts'
import { forEach } from './for-each.ts'
import { human } from './human.ts'
import { repeatUntil } from './repeat-until.ts'
import { subFlow } from './sub-flow.ts'
import { toolAgent } from './tool-agent.ts'
import { wait } from './wait.ts'
import { waitForEvent } from './wait-for-event.ts'

/** The kinds of steps, in the order in which the API lists them. */
export const stepKinds = [
  aiPrompt,
  conditional,
  externalApi,
  dataTransform,
  agent,
  forEach,
  repeatUntil,
  subFlow,
  wait,
  waitForEvent,
  human,
  toolAgent,
] as const

/** The kinds of generated steps, which containers add to their scopes and no flow can name. */
export const generatedKinds = [agentTurn, agentToolCall, agentFlowCall] as const
