import { units } from '#executions-api'
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

/** With fewer samples a rule does not apply. */
const minSamples = 10

/**
 * The alert rules. Each needs at least ten executions or steps.
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
 * | low_quality         | texts of a flow have an average quality below 60                               |
 * | unpriced_models     | models without a known price were asked                                        |
 */
const rules: readonly ((view: View) => readonly Alert[])[] = [
  (view) =>
    view.flows.flatMap((flow) => {
      const rate = units.successRate(flow)
      if (rate === null || flow.completed + flow.failed < minSamples || rate >= 90) return []
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

  ({ stats, flows }) =>
    flows.flatMap(({ id, duration_ms, completed }) => {
      const before = stats.flowsBefore.get(id)
      if (before === undefined || completed < minSamples || before.completed < minSamples) return []
      const [ms, msBefore] = [duration_ms / completed, before.duration_ms / before.completed]
      if (msBefore === 0 || ms / msBefore < 1.5) return []
      return alert('slower_than_before', {
        severity: 'warning',
        flow_id: id,
        metric: 'average_duration_ratio',
        value: units.round(ms / msBefore, 2),
        threshold: 1.5,
        message: `Flow "${id}" takes ${units.round(ms / 1000, 1)} s on the average where it took ${units.round(msBefore / 1000, 1)} s before.`,
        recommendation:
          'Compare its slowest step with the time before, and the response times of its providers.',
      })
    }),

  ({ stats, flows }) =>
    flows.flatMap(({ id, spent, executions }) => {
      const before = stats.flowsBefore.get(id)
      if (before === undefined || executions < minSamples || before.executions < minSamples) return []
      const [each, eachBefore] = [spent / executions, before.spent / before.executions]
      if (eachBefore === 0 || each / eachBefore < 1.5) return []
      return alert('cost_increase', {
        severity: 'warning',
        flow_id: id,
        metric: 'average_cost_ratio',
        value: units.round(each / eachBefore, 2),
        threshold: 1.5,
        message: `An execution of flow "${id}" costs ${units.round(each / eachBefore, 2)} times what it cost before.`,
        recommendation: 'Look for a dearer model or longer inputs, and set cost_controls.max_total_cost.',
      })
    }),

  ({ providers }) =>
    [...providers].flatMap(([provider, { completed, failed }]) => {
      const rate = units.percentage(failed, completed + failed)
      if (rate === null || completed + failed < minSamples || rate < 10) return []
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

  ({ stats: { total } }) => {
    const seconds = (units.ratio(total.queued_ms, total.begun) ?? 0) / 1000
    if (total.begun < minSamples || seconds < 30) return []
    return alert('long_queue', {
      severity: 'warning',
      metric: 'average_queue_time',
      value: units.round(seconds, 1),
      threshold: 30,
      message: `Executions waited ${units.round(seconds, 1)} s on average before they started.`,
      recommendation: 'Add a worker, or raise how many executions an account may run at once.',
    })
  },

  ({ stats }) =>
    [...stats.stepTypes].flatMap(([type, { attempts, completed, failed }]) => {
      const ran = completed + failed
      const rate = units.percentage(attempts - ran, attempts)
      if (rate === null || ran < minSamples || rate < 20) return []
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

  ({ stats: { total } }) => {
    const share = units.percentage(total.spent - total.completed_spent, total.spent)
    if (share === null || total.executions < minSamples || share < 20) return []
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
      const measured = stepsOf(id).reduce((sum, step) => sum + step.quality_count, 0)
      const quality = units.ratio(
        stepsOf(id).reduce((sum, step) => sum + step.quality_sum, 0),
        measured,
      )
      if (quality === null || measured < minSamples || quality >= 60) return []
      return alert('low_quality', {
        severity: 'info',
        flow_id: id,
        metric: 'quality_score',
        value: units.round(quality, 1),
        threshold: 60,
        message: `Texts of flow "${id}" have an average quality of ${units.round(quality, 1)} of 100.`,
        recommendation: 'Ask a stronger model, or set validation.quality_threshold with a retry.',
      })
    }),

  ({ stats: { total } }) =>
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

/** The alerts, the most severe first. */
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
