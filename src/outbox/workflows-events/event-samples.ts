import { sampleExecutionId, sampleFailure } from '../sample-values.ts'
import type { workflowsEvents } from './event-mappers.ts'

type WorkflowsEvent = (typeof workflowsEvents)[number]

const execution = {
  execution_id: sampleExecutionId,
  flow_id: 'sample_flow',
}
const versioned = { ...execution, flow_version: 1 }
const summary = {
  duration: 4.2,
  steps_executed: 3,
  success_rate: 100,
  total_cost: 0.0015,
  unpriced: false,
  agent_decisions: 0,
}

/** The data of test events: the fields of real ones, about an execution that does not exist. */
export const workflowsEventSamples: Readonly<Record<WorkflowsEvent, Readonly<Record<string, unknown>>>> = {
  'flow.execution.started': {
    ...versioned,
    initiated_by: '00000000-0000-4000-8000-000000000001',
    estimated_duration: 4,
    estimated_cost: 0.002,
    priority: 'normal',
    context_summary: { content_type: 'article', content_length: 1200, target_quality: null },
  },
  'flow.execution.completed': {
    ...versioned,
    status: 'completed',
    execution_summary: summary,
    results: {
      final_quality_score: 80,
      optimization_improvements: null,
      seo_score: null,
      readiness_level: null,
    },
    performance_metrics: { avg_step_time: 1.4, cache_hit_rate: 0, provider_distribution: { cloud: 100 } },
  },
  'flow.execution.failed': {
    ...versioned,
    ...sampleFailure,
    execution_summary: { ...summary, steps_executed: 2, success_rate: 50 },
    recovery_options: [],
  },
  'flow.step.completed': {
    ...execution,
    step_id: 'summarise',
    step_type: 'ai_prompt',
    item: null,
    success: true,
    duration: 1.4,
    tokens_used: 320,
    cost: 0.0005,
    unpriced: false,
    error: null,
  },
  'flow.human_task.opened': {
    ...versioned,
    human_task_id: '00000000-0000-4000-8000-000000000002',
    step_id: 'approve',
    item: null,
    expires_at: 1_794_736_800,
  },
  'agent.decision.made': {
    ...execution,
    step_id: 'route',
    item: null,
    agent_id: 'router',
    decision: {
      action: 'deepen',
      confidence: 0.8,
      reasoning: 'The text is long.',
      alternatives_considered: ['finish'],
      workflow_modifications: {
        steps_added: ['summarise'],
        estimated_additional_cost: 0.0005,
        estimated_additional_time: 1.4,
      },
    },
  },
  'cost.threshold.exceeded': {
    ...execution,
    alert_type: 'cost_alert',
    threshold: 0.001,
    current_cost: 0.0012,
    possible_cost: null,
  },
  'performance.degradation.detected': {
    ...versioned,
    metric: 'duration',
    current_value: 12.6,
    threshold: 6.3,
    baseline: { p95: 4.2, median: 3.1, executions: 40 },
    degradation_percentage: 200,
  },
}
