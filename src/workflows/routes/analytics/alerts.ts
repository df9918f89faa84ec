import { averageOf, percentOf, round, successRateOf } from './numbers.ts'
import { mostFailingStep } from './performance.ts'
import type { View } from './view.ts'

export interface Alert {
  readonly type: string
  readonly severity: 'info' | 'warning' | 'critical'
  readonly flow_id: string | null
  readonly provider: string | null
  readonly metric: string
  readonly value: number
  readonly threshold: number
  readonly message: string
  readonly recommendation: string
}

/** Fewer than this many say nothing. */
const enough = 10

/**
 * What is worth somebody's attention. Each rule needs at least ten executions or steps to look at.
 *
 * | type                | holds when                                                                     |
 * |---------------------|--------------------------------------------------------------------------------|
 * | low_success_rate    | a flow succeeds in less than 90 %; critical below 70 %                         |
 * | slower_than_before  | a flow takes 1.5 times as long as in the time before, or more, on the average  |
 * | cost_increase       | an execution of a flow costs 1.5 times what it did, or more                    |
 * | provider_failing    | a provider fails in 10 % of its steps or more; critical from 30 %              |
 * | long_queue          | executions wait 30 s or more on the average                                    |
 * | many_retries        | 20 % of all tries of a type of step are not the first                          |
 * | cost_without_result | 20 % of the cost, or more, went into executions that did not complete          |
 * | low_quality         | texts of a flow are judged below 60 on the average                             |
 * | unpriced_models     | models without a known price were asked                                        |
 */
const rules: readonly ((view: View) => readonly Alert[])[] = [
  (view) =>
    view.flows.flatMap((flow) => {
      const rate = successRateOf(flow)
      if (rate === null || flow.completed + flow.failed < enough || rate >= 90) return []
      const step = mostFailingStep(view, flow.id)
      return alert('low_success_rate', {
        severity: rate < 70 ? 'critical' : 'warning',
        flow_id: flow.id,
        metric: 'success_rate',
        value: rate,
        threshold: 90,
        message: `Flow "${flow.id}" succeeded in ${rate} % of ${flow.completed + flow.failed} executions.`,
        recommendation:
          step === null
            ? 'Look at the errors of its last executions; it fails between steps, by time, memory or budget.'
            : `Look at step "${step.step_id}", which failed ${step.value} times; give it retries or an on_failure.`,
      })
    }),

  ({ figures, flows }) =>
    flows.flatMap(({ id, duration_ms, completed }) => {
      const before = figures.flowsBefore.get(id)
      if (before === undefined || completed < enough || before.completed < enough) return []
      const [ms, msBefore] = [duration_ms / completed, before.duration_ms / before.completed]
      if (msBefore === 0 || ms / msBefore < 1.5) return []
      return alert('slower_than_before', {
        severity: 'warning',
        flow_id: id,
        metric: 'average_duration_ratio',
        value: round(ms / msBefore, 2),
        threshold: 1.5,
        message: `Flow "${id}" takes ${round(ms / 1000, 1)} s on the average where it took ${round(msBefore / 1000, 1)} s before.`,
        recommendation:
          'Compare its slowest step with the time before, and the response times of its providers.',
      })
    }),

  ({ figures, flows }) =>
    flows.flatMap(({ id, spent, executions }) => {
      const before = figures.flowsBefore.get(id)
      if (before === undefined || executions < enough || before.executions < enough) return []
      const [each, eachBefore] = [spent / executions, before.spent / before.executions]
      if (eachBefore === 0 || each / eachBefore < 1.5) return []
      return alert('cost_increase', {
        severity: 'warning',
        flow_id: id,
        metric: 'average_cost_ratio',
        value: round(each / eachBefore, 2),
        threshold: 1.5,
        message: `An execution of flow "${id}" costs ${round(each / eachBefore, 2)} times what it cost before.`,
        recommendation: 'Look for a dearer model or longer inputs, and set cost_controls.max_total_cost.',
      })
    }),

  ({ providers }) =>
    [...providers].flatMap(([provider, { completed, failed }]) => {
      const rate = percentOf(failed, completed + failed)
      if (rate === null || completed + failed < enough || rate < 10) return []
      return alert('provider_failing', {
        severity: rate >= 30 ? 'critical' : 'warning',
        provider,
        metric: 'failure_rate',
        value: rate,
        threshold: 10,
        message: `Provider "${provider}" failed in ${rate} % of ${completed + failed} steps.`,
        recommendation:
          'Check its status, and allow a fallback: ai_options.fallback_enabled or retry_with_different_provider.',
      })
    }),

  ({ figures: { total } }) => {
    const seconds = (averageOf(total.queued_ms, total.begun) ?? 0) / 1000
    if (total.begun < enough || seconds < 30) return []
    return alert('long_queue', {
      severity: 'warning',
      metric: 'average_queue_time',
      value: round(seconds, 1),
      threshold: 30,
      message: `Executions waited ${round(seconds, 1)} s on the average before they began.`,
      recommendation: 'Add a worker, or raise how many executions an account may run at once.',
    })
  },

  ({ figures }) =>
    [...figures.stepTypes].flatMap(([type, { attempts, completed, failed }]) => {
      const ran = completed + failed
      const rate = percentOf(attempts - ran, attempts)
      if (rate === null || ran < enough || rate < 20) return []
      return alert('many_retries', {
        severity: 'info',
        metric: 'retry_rate',
        value: rate,
        threshold: 20,
        message: `${rate} % of all tries of ${type} steps were not the first.`,
        recommendation:
          'Retries cost time and money: look at why first tries fail, and at the validation rules.',
      })
    }),

  ({ figures: { total } }) => {
    const share = percentOf(total.spent - total.completed_spent, total.spent)
    if (share === null || total.executions < enough || share < 20) return []
    return alert('cost_without_result', {
      severity: 'warning',
      metric: 'cost_without_result_share',
      value: share,
      threshold: 20,
      message: `${share} % of the cost went into executions that did not complete.`,
      recommendation:
        'Recover failed executions instead of starting them anew: finished steps are not paid again.',
    })
  },

  ({ flows, stepsOf }) =>
    flows.flatMap(({ id }) => {
      const judged = stepsOf(id).reduce((sum, step) => sum + step.quality_count, 0)
      const quality = averageOf(
        stepsOf(id).reduce((sum, step) => sum + step.quality_sum, 0),
        judged,
      )
      if (quality === null || judged < enough || quality >= 60) return []
      return alert('low_quality', {
        severity: 'info',
        flow_id: id,
        metric: 'quality_score',
        value: round(quality, 1),
        threshold: 60,
        message: `Texts of flow "${id}" are judged ${round(quality, 1)} of 100 on the average.`,
        recommendation: 'Ask a stronger model, or set validation.quality_threshold with a retry.',
      })
    }),

  ({ figures: { total } }) =>
    total.unpriced === 0
      ? []
      : alert('unpriced_models', {
          severity: 'info',
          metric: 'unpriced_executions',
          value: total.unpriced,
          threshold: 0,
          message: `${total.unpriced} executions asked models without a known price, so their cost is not complete.`,
          recommendation: 'Set prices for these models: PUT /api/v1/prices.',
        }),
]

const bySeverity = ['critical', 'warning', 'info']

/** What follows from the numbers, the most pressing first. */
export function findAlerts(view: View): Alert[] {
  return rules
    .flatMap((rule) => rule(view))
    .toSorted((one, other) => bySeverity.indexOf(one.severity) - bySeverity.indexOf(other.severity))
}

function alert(
  type: string,
  found: Omit<Alert, 'type' | 'flow_id' | 'provider'> & Partial<Pick<Alert, 'flow_id' | 'provider'>>,
): Alert[] {
  return [{ type, flow_id: null, provider: null, ...found }]
}
