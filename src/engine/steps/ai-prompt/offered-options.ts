import type { Comparison } from '../../definition/conditions.ts'
import type { AiPromptStep } from '../../definition/step-types.ts'
import { holds } from '../../expressions/compare.ts'
import type { Scope } from '../../expressions/path.ts'
import { readCondition } from '../../expressions/read-condition.ts'
import { asText } from '../../expressions/template.ts'

type Written = NonNullable<AiPromptStep['routing_options']>[string]

/** An option that can be chosen. */
export interface RoutingOption {
  readonly name: string
  readonly reason: string
  readonly adds: readonly string[]
  readonly continuesTo: string | undefined
  /** The condition that is true, when the option has one. */
  readonly condition: string | undefined
}

/** The options without a condition or with one that is true, in the order of the definition. */
export function offeredOptions(options: Readonly<Record<string, Written>>, scope: Scope): RoutingOption[] {
  return Object.entries(options).flatMap(
    ([name, { add_steps = [], condition, continue_to, reason = '' }]) => {
      const read = condition === undefined ? undefined : readCondition(condition)
      if (read !== undefined && !holds(read, scope)) return []
      const text = read === undefined ? undefined : describe(read)
      return [{ name, reason, adds: add_steps, continuesTo: continue_to, condition: text }]
    },
  )
}

/** The fields used by the conditions of options. */
export function conditionFields(options: Readonly<Record<string, Written>>): string[] {
  return Object.values(options).flatMap(({ condition }) =>
    condition === undefined ? [] : (readCondition(condition)?.field ?? []),
  )
}

function describe({ field, operator, value }: Comparison): string {
  return value === undefined ? `${field} ${operator}` : `${field} ${operator} ${asText(value)}`
}
