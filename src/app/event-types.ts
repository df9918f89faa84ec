import { operatorEventTypes } from '#cluster'
import { connectionsOperatorEventTypes } from '#connections'
import { securityEventTypes } from '#identity'
import { modelsOperatorEventTypes, providerStatusChanged } from '#models'
import { incidentEventTypes, statusOperatorEventTypes } from '#status'
import { auditedTourEventTypes } from '#tours'
import { triggerEventTypes } from '#triggers'

/** Actions of operators in all modules. */
const operatorActions = [
  ...operatorEventTypes,
  ...modelsOperatorEventTypes,
  ...statusOperatorEventTypes,
  ...auditedTourEventTypes,
]

/** What the audit log shows besides sign-ins and accounts. */
export const auditedEventTypes = [...operatorActions, ...connectionsOperatorEventTypes, ...triggerEventTypes]

/** The events that can start a flow. */
export const triggeringEventTypes = [
  ...securityEventTypes,
  ...operatorActions,
  providerStatusChanged,
  ...incidentEventTypes,
]
