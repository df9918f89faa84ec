import { operatorEventTypes } from '#cluster'
import { connectionsOperatorEventTypes } from '#connections'
import { securityEventTypes } from '#identity'
import { backupEventTypes } from '#kernel/backup'
import { settingsEventTypes } from '#kernel/live-settings'
import { modelsOperatorEventTypes, providerStatusChanged } from '#models'
import { incidentEventTypes, statusOperatorEventTypes } from '#status'
import { auditedTourEventTypes } from '#tours'
import { triggerEventTypes } from '#triggers'
import { flowStateEventTypes, humanTaskEventTypes } from '#workflows'

/** Actions of operators in all modules. */
const operatorActions = [
  ...operatorEventTypes,
  ...modelsOperatorEventTypes,
  ...statusOperatorEventTypes,
  ...auditedTourEventTypes,
  ...settingsEventTypes,
]

/** What the audit log shows besides sign-ins and accounts. */
export const auditedEventTypes = [
  ...operatorActions,
  ...backupEventTypes,
  ...connectionsOperatorEventTypes,
  ...triggerEventTypes,
  ...flowStateEventTypes,
  ...humanTaskEventTypes,
]

/** The events that can start a flow. */
export const triggeringEventTypes = [
  ...securityEventTypes,
  ...operatorActions,
  providerStatusChanged,
  ...incidentEventTypes,
]
