import type { Facts } from './facts.ts'
import type { Finding } from './finding.ts'
import { machineRules } from './machine-trouble.ts'
import { processRules } from './process-trouble.ts'
import { providerRules } from './provider-trouble.ts'
import { queueRules } from './queue-trouble.ts'

const order = ['critical', 'warning', 'info'] as const

/** Everything that is not well, the worst first. */
export function findTrouble(facts: Facts): readonly Finding[] {
  return [...queueRules, ...providerRules, ...processRules, ...machineRules]
    .flatMap((rule) => rule(facts))
    .toSorted((one, other) => order.indexOf(one.alert.level) - order.indexOf(other.alert.level))
}
