import type { Static } from 'typebox'
import { units } from '#executions-api'
import type { Delivery, Trigger } from '../trigger.ts'
import type { DeliveryResponse, TriggerResponse } from './schemas.ts'

/** A trigger without its secret. */
export function describeTrigger(trigger: Trigger): Static<typeof TriggerResponse> {
  const { settings } = trigger
  return {
    trigger_id: trigger.id,
    account_id: trigger.accountId,
    label: trigger.label,
    kind: trigger.kind,
    flow_id: trigger.flowId,
    flow_version: trigger.flowVersion,
    enabled: trigger.enabled,
    priority: trigger.priority,
    input: settings.input,
    filter: settings.filter ?? null,
    signal: settings.signal ?? null,
    verification: settings.verification === undefined ? null : { ...settings.verification },
    delivery_id: settings.delivery_id ?? null,
    respond: settings.respond ?? null,
    response: settings.response ?? null,
    events: settings.events === undefined ? null : [...settings.events],
    last_at: trigger.lastAt === null ? null : units.epochSeconds(trigger.lastAt),
    last_outcome: trigger.lastOutcome,
    last_error: trigger.lastError === null ? null : upperCase(trigger.lastError),
    last_execution_id: trigger.lastExecutionId,
    counts: {
      started: trigger.timesStarted,
      signalled: trigger.timesSignalled,
      ignored: trigger.timesIgnored,
      refused: trigger.timesRefused,
      delayed: trigger.delayed,
    },
    delayed_until: trigger.delayedUntil === null ? null : units.epochSeconds(trigger.delayedUntil),
    created_at: units.epochSeconds(trigger.createdAt),
    updated_at: units.epochSeconds(trigger.updatedAt),
  }
}

export function describeDelivery(delivery: Delivery): Static<typeof DeliveryResponse> {
  return {
    delivery_id: delivery.id,
    received_at: units.epochSeconds(delivery.receivedAt),
    outcome: delivery.outcome,
    execution_id: delivery.executionId,
    error: delivery.error === null ? null : upperCase(delivery.error),
    replayable: delivery.request !== null,
  }
}

function upperCase({ code, message }: { readonly code: string; readonly message: string }) {
  return { code: code.toUpperCase(), message }
}
