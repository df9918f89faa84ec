import { agent } from './agent.ts'
import { aiPrompt } from './ai-prompt.ts'
import { conditional } from './conditional.ts'
import { dataTransform } from './data-transform.ts'
import { externalApi } from './external-api.ts'
import { forEach } from './for-each.ts'
import { human } from './human.ts'
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
  wait,
  waitForEvent,
  human,
] as const
