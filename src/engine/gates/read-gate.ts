import type { LimitName } from './open-gate.ts'

/** Why an execution has not passed the gate of its flow. */
export interface AtGate {
  readonly since: Date
  readonly limit: LimitName
  /** When it may pass; null: when another execution of its key ends, or unknown. */
  readonly until: Date | null
  /** Executions of the same concurrency key that came before it. */
  readonly ahead: number
  /** How many starts were combined into it; null without a debounce. */
  readonly starts: number | null
}

/** As JSON, in which dates are texts. */
export interface AtGateJson extends Omit<AtGate, 'since' | 'until'> {
  readonly since: string
  readonly until: string | null
}

/** A column of `execution`; null unless it is gated, and then nothing of this is evaluated. */
export const gateColumn = `
  case when execution.work_state = 'gated' then (
    select json_build_object(
      'since', coalesce(execution.gated_at, execution.created_at),
      'limit', case
        when execution.hold_until is not null then 'debounce'
        when execution.throttle_key is null then 'concurrency'
        when execution.concurrency_key is null or open.count < (control -> 'concurrency' ->> 'limit')::integer then 'throttle'
        else 'concurrency'
      end,
      'until', coalesce(execution.hold_until, case
        when open.count < (control -> 'concurrency' ->> 'limit')::integer or execution.concurrency_key is null
        then (select gate.due_at from engine_gates as gate where gate.flow_id = execution.flow_id)
      end),
      'ahead', (
        select count(*) from engine_executions as other
        where other.flow_id = execution.flow_id and other.work_state = 'gated'
          and other.concurrency_key is not distinct from execution.concurrency_key and other.id < execution.id
      ),
      'starts', execution.debounced
    )
    from (
      select newest.definition #> '{global_configuration,flow_control}' as control
      from engine_flows as flow
      join engine_flow_versions as newest on newest.flow_id = flow.id and newest.version = flow.current_version
      where flow.id = execution.flow_id
    ) as flow
    cross join (
      select count(*) as count from engine_executions as other
      where other.concurrency_key = execution.concurrency_key and other.work_state in ('queued', 'running')
        and other.approval is distinct from 'pending'
    ) as open
  ) end`

export function readAtGate({ since, until, ...gate }: AtGateJson): AtGate {
  return { ...gate, since: new Date(since), until: until === null ? null : new Date(until) }
}
